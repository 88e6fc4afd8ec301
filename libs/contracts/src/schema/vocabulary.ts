const names = new WeakMap<readonly string[], string>();

/** A closed list of values with its name in the published document. `OneOf` and `SomeOf` of this very list take the name. */
export function vocabulary<const Values extends readonly string[]>(name: string, values: Values): Values {
  names.set(values, name);
  return values;
}

/** The name of a list that `vocabulary` made. */
export const nameOfVocabulary = (values: readonly string[]): string | undefined => names.get(values);
