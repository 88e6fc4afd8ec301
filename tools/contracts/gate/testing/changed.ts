import { descriptionOf } from '../../describe/description.ts';
import { goldenPublic, publicEventSchemas } from '../../describe/public-events.ts';
import type { JsonSchema } from '../refused.ts';
import type { Description, Release } from '../releases.ts';

/** The description of this commit, as the gate reads that of a release. */
export const described = async (service: string): Promise<Description> =>
  new Map(Array.from(await descriptionOf(service), ([path, text]) => [path, JSON.parse(text)]));

/** Its public events alone, which takes no compiler. */
export const describedPublic = (context: string): Description => new Map([...publicEventSchemas(context), ...goldenPublic(context)]);

export const released = (service: string, description: Description, version = '1.0.0'): Release => ({ service, version, description });

/** A copy with one file changed in place by `change`; `null` deletes the file. */
export function changed<File>(description: Description, path: string, change: ((file: File) => void) | null): Description {
  if (!description.has(path)) throw new Error(`the description has no ${path}`);
  const copy = new Map(description);
  if (!change) copy.delete(path);
  else {
    const file = structuredClone(description.get(path)) as File;
    change(file);
    copy.set(path, file);
  }
  return copy;
}

/** The schema of a field: `data/items/[]/tax`. Follows references, and in an `anyOf` the branch that has the field. Throws when there is none. */
export function fieldOf(schema: JsonSchema, path: string): { parent: JsonSchema; field: JsonSchema; name: string } {
  const steps = path.split('/');
  let [parent, field]: (JsonSchema | undefined)[] = [schema, schema];
  for (const step of steps) {
    parent = objectsIn(schema, field).find((object) => inner(object, step) !== undefined);
    field = parent && (inner(parent, step) as JsonSchema | undefined);
    if (!field) throw new Error(`no field ${step} of ${path}`);
  }
  return { parent: parent as JsonSchema, field: field as JsonSchema, name: steps.at(-1) ?? '' };
}

/** The schema itself, what it refers to, and the branches of both. */
function objectsIn(root: JsonSchema, schema: JsonSchema | undefined): JsonSchema[] {
  if (!schema) return [];
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;
  const target = name === undefined ? undefined : (root['$defs'] as Record<string, JsonSchema>)[name];
  const branches = (schema['anyOf'] ?? []) as JsonSchema[];
  return [schema, ...[target, ...branches].flatMap((one) => objectsIn(root, one))];
}

const inner = (object: JsonSchema, step: string): unknown =>
  step === '[]' ? object['items'] : (object['properties'] as JsonSchema | undefined)?.[step];

const requiredOf = (schema: JsonSchema): string[] => schema['required'] as string[];

/** Removes a field of an object. */
export function drop(schema: JsonSchema, path: string): void {
  const { parent, name } = fieldOf(schema, path);
  delete (parent['properties'] as JsonSchema)[name];
  parent['required'] = requiredOf(parent).filter((one) => one !== name);
}

/** Adds a field to the object at `path` (`''`: the root). */
export function add(schema: JsonSchema, path: string, name: string, field: JsonSchema, isRequired = false): void {
  const at = path === '' ? schema : fieldOf(schema, path).field;
  const object = objectsIn(schema, at).find((one) => 'properties' in one);
  if (!object) throw new Error(`${path} is no object`);
  (object['properties'] as JsonSchema)[name] = field;
  if (isRequired) requiredOf(object).push(name);
}

/** Replaces keywords of a field; undefined removes one. */
export function set(schema: JsonSchema, path: string, keywords: JsonSchema): void {
  const { field } = fieldOf(schema, path);
  for (const [name, value] of Object.entries(keywords)) {
    if (value === undefined) delete field[name];
    else field[name] = value;
  }
}

/** The field can be omitted. */
export function makeOptional(schema: JsonSchema, path: string): void {
  const { parent, name } = fieldOf(schema, path);
  parent['required'] = requiredOf(parent).filter((one) => one !== name);
}

/** The field is always there. */
export function makeRequired(schema: JsonSchema, path: string): void {
  const { parent, name } = fieldOf(schema, path);
  requiredOf(parent).push(name);
}
