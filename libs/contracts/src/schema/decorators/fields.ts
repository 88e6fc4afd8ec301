/** Declares a field for each name of a closed list, with the decorators that `of` gives, first the outermost. Their type is a `Record` where the class is used. */
export const Fields =
  <Name extends string>(names: readonly Name[], of: (name: Name) => readonly PropertyDecorator[]): ClassDecorator =>
  ({ prototype }) => {
    for (const name of names) for (const decorate of of(name).toReversed()) decorate(prototype as object, name);
  };
