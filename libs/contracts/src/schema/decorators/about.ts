import 'reflect-metadata';

const about = Symbol('about');

/** The description of a field in the published document: one short sentence, Markdown. */
export const About =
  (description: string): PropertyDecorator =>
  (target, property) =>
    Reflect.defineMetadata(about, description, target, property);

export const aboutOf = (prototype: object, property: string): string | undefined =>
  Reflect.getMetadata(about, prototype, property) as string | undefined;

const personal = Symbol('personal');

/**
 * The field says who a person or company is, or where they are. Callers without personal data read null for every field of this name, whatever class it is in,
 * since events and histories hold fields of documents beside their names.
 */
export const Personal = (): PropertyDecorator => (target, property) => Reflect.defineMetadata(personal, true, target, property);

export const isPersonal = (prototype: object, property: string): boolean => Reflect.hasMetadata(personal, prototype, property);

/** Declares a field for each name of a closed list, with the decorators that `of` gives, first the outermost. Their type is a `Record` where the class is used. */
export const Fields =
  <Name extends string>(names: readonly Name[], of: (name: Name) => readonly PropertyDecorator[]): ClassDecorator =>
  ({ prototype }) => {
    for (const name of names) for (const decorate of of(name).toReversed()) decorate(prototype as object, name);
  };
