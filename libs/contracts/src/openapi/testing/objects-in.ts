export type Json = Record<string, unknown>;

/** Every object in a document with its path, except for examples. */
export function* objectsIn(value: unknown, path: string[] = []): Generator<[string[], Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Json];
  for (const [key, inside] of Object.entries(value)) if (key !== 'example') yield* objectsIn(inside, [...path, key]);
}
const isText = (value: unknown): boolean => typeof value === 'string' && value.trim().length > 3;

/** Paths of fields, parameters, headers and responses of a document that have no description. */
export function undescribed(document: Json): string[] {
  const bare: string[] = [];
  for (const [path, object] of objectsIn(document)) {
    const fields = path.at(-1) === 'properties' ? object : {};
    for (const [name, field] of Object.entries(fields)) if (!isText((field as Json).description)) bare.push([...path, name].join('.'));
    const isField = path.at(-3) === 'properties';
    const isNamed = (['headers', 'responses'].includes(path.at(-2) ?? '') && !isField) || (path.at(-2) === 'parameters' && 'in' in object);
    if (isNamed && !('$ref' in object) && !isText(object.description)) bare.push(path.join('.'));
  }
  return bare;
}
