import type { Compared, Differ, JsonSchema, Part, Refused } from './refused.ts';

const propertiesOf = ({ schema }: Part): Record<string, JsonSchema> => (schema['properties'] ?? {}) as Record<string, JsonSchema>;
const requiredOf = ({ schema }: Part): string[] => (schema['required'] ?? []) as string[];
const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/**
 * The schema of properties that are not named: undefined where there are none. An object without `additionalProperties` may have any:
 * what is written says `false` where it has no others.
 */
function othersOf({ schema }: Part): JsonSchema | undefined {
  const others = schema['additionalProperties'];
  if (isSchema(others)) return others;
  return others === false ? undefined : {};
}

export function objectsDiffer({ written, read, path }: Compared, differ: Differ): Refused[] {
  const [writes, reads] = [propertiesOf(written), propertiesOf(read)];
  const below = (name: string, now: JsonSchema, then: JsonSchema): Refused[] =>
    differ({ written: { schema: now, defs: written.defs }, read: { schema: then, defs: read.defs }, path: `${path}/${name}` });
  const always = requiredOf(written);
  const missing = requiredOf(read)
    .filter((name) => !always.includes(name))
    .map((name) => ({
      path: `${path}/${name}`,
      rule: 'missing',
      written: name in writes ? 'nothing in some events' : 'nothing',
      read: 'a field that is always there',
    }));
  const others = othersOf(written);
  const named = Object.entries(reads).flatMap(([name, then]) => {
    const now = writes[name] ?? others;
    return now === undefined ? [] : below(name, now, then);
  });
  // Other properties than the named ones are ignored, unless the reader takes the object as a map.
  const ofMap = read.schema['additionalProperties'];
  if (!isSchema(ofMap)) return [...missing, ...named];
  const unnamed = Object.entries(writes).flatMap(([name, now]) => (name in reads ? [] : below(name, now, ofMap)));
  const keys = isSchema(read.schema['propertyNames']) ? below('{key}', keysOf(written), read.schema['propertyNames']) : [];
  return [...missing, ...named, ...unnamed, ...keys, ...(others ? below('{}', others, ofMap) : [])];
}

/** The names that are written, as a schema of texts. */
function keysOf(written: Part): JsonSchema {
  const names = written.schema['propertyNames'];
  if (isSchema(names)) return { type: 'string', ...names };
  return othersOf(written) ? { type: 'string' } : { enum: Object.keys(propertiesOf(written)) };
}

export function arraysDiffer({ written, read, path }: Compared, differ: Differ): Refused[] {
  const then = read.schema['items'];
  const now = written.schema['items'];
  const items = isSchema(then)
    ? differ({
        written: { schema: isSchema(now) ? now : {}, defs: written.defs },
        read: { schema: then, defs: read.defs },
        path: `${path}/[]`,
      })
    : [];
  const isRepeated = read.schema['uniqueItems'] === true && written.schema['uniqueItems'] !== true;
  // A schema that has no arrays has no items to differ.
  const hasArrays = now !== undefined || [written.schema['type']].flat().includes('array');
  if (!hasArrays) return [];
  return [...items, ...(isRepeated ? [{ path, rule: 'uniqueItems', written: 'a value twice', read: 'each value once' }] : [])];
}
