import { isDeepStrictEqual } from 'node:util';
import { arraysDiffer, objectsDiffer } from './refused-parts.ts';
import { scalarsDiffer } from './refused-scalars.ts';
import { shown, type Compared, type JsonSchema, type Part, type Refused } from './refused.ts';

/** Say nothing about values. */
const annotations = new Set(['$schema', '$comment', '$defs', 'title', 'description', 'examples', 'default', 'deprecated']);
/** Compared by their meaning; any other keyword of a reader has to stand in what is written, unchanged. */
const compared = new Set([
  ...[
    'type',
    'const',
    'enum',
    'anyOf',
    'properties',
    'required',
    'additionalProperties',
    'propertyNames',
    'maxProperties',
    'minProperties',
  ],
  ...['items', 'minItems', 'maxItems', 'uniqueItems', 'minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum'],
  ...['exclusiveMinimum', 'exclusiveMaximum'],
]);

/**
 * What `written` allows and a reader by the schema `read` refuses; [] when the reader understands everything. A reader ignores properties
 * that it does not know, as consumers and folds do.
 */
export const refusedValues = (written: JsonSchema, read: JsonSchema): Refused[] =>
  differ({ written: { schema: written, defs: defsOf(written) }, read: { schema: read, defs: defsOf(read) }, path: '' });

const defsOf = (schema: JsonSchema): JsonSchema => (schema['$defs'] ?? {}) as JsonSchema;

/** Follows `$ref`s. The schemas have no other form of reference. */
function resolved({ schema, defs }: Part): Part {
  const ref = schema['$ref'];
  if (typeof ref !== 'string') return { schema, defs };
  const target = defs[ref.replace('#/$defs/', '')];
  if (typeof target !== 'object') throw new Error(`no definition for ${ref}`);
  const { $ref: _, ...beside } = schema;
  return resolved({ schema: { ...(target as JsonSchema), ...beside }, defs });
}

const branchesOf = (part: Part): Part[] | undefined => {
  const { anyOf, ...beside } = part.schema;
  return Array.isArray(anyOf)
    ? (anyOf as JsonSchema[]).map((branch) => resolved({ schema: { ...beside, ...branch }, defs: part.defs }))
    : undefined;
};

function differ(compared: Compared): Refused[] {
  const { path } = compared;
  const [written, read] = [resolved(compared.written), resolved(compared.read)];
  const writes = branchesOf(written);
  if (writes) return distinct(writes.flatMap((branch) => differ({ written: branch, read, path })));
  const reads = branchesOf(read);
  if (reads) return leastRefused(reads.map((branch) => differ({ written, read: branch, path })));
  const both = { written, read, path };
  const wrongType = typesDiffer(both);
  return wrongType.length > 0
    ? wrongType
    : [...scalarsDiffer(both), ...objectsDiffer(both, differ), ...arraysDiffer(both, differ), ...keywordsDiffer(both)];
}

/** Of a reader's alternatives one is enough; where none is, the nearest one says what is wrong. */
const leastRefused = (all: Refused[][]): Refused[] => all.reduce((least, one) => (weight(one) < weight(least) ? one : least));
/** An alternative of another kind (its type or its constant differs) is further away than one whose fields differ. */
const weight = (refused: Refused[]): number =>
  refused.reduce((sum, { rule, path }) => sum + (rule === 'type' || rule === 'values' ? 10 : 1) / (path.split('/').length + 1), 0);

const distinct = (refused: Refused[]): Refused[] => [...new Map(refused.map((one) => [`${one.path} ${one.rule}`, one])).values()];

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};

/** undefined: any. */
function typesOf({ type, enum: values, const: value, ...others }: JsonSchema): string[] | undefined {
  if (type !== undefined) return [type].flat() as string[];
  if (Array.isArray(values)) return [...new Set(values.map(typeOf))];
  if (value !== undefined) return [typeOf(value)];
  return 'properties' in others ? ['object'] : undefined;
}

const allTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

function typesDiffer({ written, read, path }: Compared): Refused[] {
  const reads = typesOf(read.schema);
  if (!reads) return [];
  const writes = typesOf(written.schema) ?? allTypes;
  const more = writes.filter((type) => !reads.includes(type) && !(type === 'integer' && reads.includes('number')));
  if (more.length === 0) return [];
  const isNull = more.length === 1 && more[0] === 'null';
  return [{ path, rule: isNull ? 'null' : 'type', written: more.join(' or '), read: `${reads.join(' or ')} only` }];
}

function keywordsDiffer({ written, read, path }: Compared): Refused[] {
  return Object.entries(read.schema).flatMap(([name, value]) => {
    const isCompared = compared.has(name) || annotations.has(name) || name.startsWith('x-');
    if (isCompared || isDeepStrictEqual(value, written.schema[name])) return [];
    return [{ path, rule: name, written: `${name} ${shown(written.schema[name])}`, read: `${name} ${shown(value)}` }];
  });
}
