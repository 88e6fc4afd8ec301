import type { Field } from './blocks.ts';
import { nameOf, resolved, type OpenApi, type Schema } from './openapi.ts';

/** Where named schemas have a section of their own: there they are linked. The others are shown where they are used. */
export type Homes = ReadonlyMap<string, string>;

/** Schemas inside schemas are shown to this depth. */
const DEPTH = 8;

interface Place {
  document: OpenApi;
  homes: Homes;
  /** Prefix of the anchors. */
  id: string;
  /** Names of the schemas around. */
  around: readonly string[];
}

/** The fields of an object, or of what is in a list; none where the schema is neither. */
export function fieldsOf(schema: Schema, place: Place): Field[] {
  const object = objectIn(schema, place.document);
  if (!object || place.around.length > DEPTH) return [];
  const name = nameIn(schema, place.document);
  if (name !== undefined && place.around.includes(name)) return [];
  const around = [...place.around, name ?? '-'];
  const required = new Set(object.required);
  return Object.entries(object.properties ?? {}).map(([key, field]) => {
    const id = `${place.id}.${key}`;
    const named = nameIn(field, place.document);
    const isLinked = named !== undefined && place.homes.has(named);
    return {
      id,
      name: key,
      type: typeOf(field, place),
      isRequired: required.has(key),
      about: aboutOf(field, place.document),
      fields: isLinked ? [] : fieldsOf(field, { ...place, id, around }),
    };
  });
}

/** The schema of the object that a field holds, in a list or beside null too, with the parts of `allOf` put together. */
function objectIn(schema: Schema, document: OpenApi): Schema | undefined {
  const own = resolved<Schema>(document, schema as Schema & { $ref: string });
  if (own.items) return objectIn(own.items, document);
  const choices = choicesOf(own, document);
  if (choices.length === 1 && choices[0]) return objectIn(choices[0], document);
  if (choices.length > 1) {
    const objects = choices.map((choice) => objectIn(choice, document)).filter((one) => one !== undefined);
    return objects.length > 0 ? merged(objects.map((object) => ({ ...object, required: [] }))) : undefined;
  }
  const parts = (own.allOf ?? []).map((part) => objectIn(part, document)).filter((one) => one !== undefined);
  if (own.properties) parts.push(own);
  return parts.length > 0 ? merged(parts) : undefined;
}

const merged = (parts: readonly Schema[]): Schema => ({
  properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Record<string, Schema>,
  required: parts.flatMap(({ required = [] }) => required),
});

/** Kinds of value other than null. */
const choicesOf = ({ anyOf, oneOf }: Schema, document: OpenApi): Schema[] =>
  [...(anyOf ?? []), ...(oneOf ?? [])].filter((choice) => resolved<Schema>(document, choice as Schema & { $ref: string }).type !== 'null');

/** The name of the object’s schema. */
function nameIn(schema: Schema, document: OpenApi): string | undefined {
  const name = nameOf(schema);
  const own = resolved<Schema>(document, schema as Schema & { $ref: string });
  if (name !== undefined && (own.properties || own.allOf)) return name;
  if (own.items) return nameIn(own.items, document);
  const [choice, ...more] = choicesOf(own, document);
  return choice && more.length === 0 ? nameIn(choice, document) : undefined;
}

const aboutOf = (schema: Schema, document: OpenApi): string => {
  const own = resolved<Schema>(document, schema as Schema & { $ref: string });
  const [choice] = choicesOf(own, document);
  return schema.description ?? own.description ?? (choice ? aboutOf(choice, document) : '');
};

/** `string, at most 255 characters`, `list of [Item](…)`. Markdown. */
export function typeOf(schema: Schema, { document, homes }: Pick<Place, 'document' | 'homes'>): string {
  const kind = (one: Schema): string => {
    const name = nameOf(one);
    const own = resolved<Schema>(document, one as Schema & { $ref: string });
    if (name !== undefined && (own.properties || own.allOf)) {
      const home = homes.get(name);
      return home === undefined ? `object ${name}` : `[${name}](${home})`;
    }
    const choices = [...(own.anyOf ?? []), ...(own.oneOf ?? [])];
    if (choices.length > 0) return [...new Set(choices.map(kind))].join(' or ');
    if (own.items) return withBounds(`list of ${kind(own.items)}${orNull(own)}`, own);
    if (own.allOf && !own.type) return own.allOf.map(kind).find((text) => text !== 'any') ?? 'any';
    const types = [own.type ?? (own.properties ? 'object' : [])].flat();
    const text = types.join(' or ') || valueType(own);
    return withBounds(text, own);
  };
  return kind(schema);
}

const orNull = ({ type }: Schema): string => ([type].flat().includes('null') ? ' or null' : '');
const valueType = ({ const: only, enum: among }: Schema): string =>
  only !== undefined ? typeof only : Array.isArray(among) && among.length > 0 ? typeof among[0] : 'any';

function withBounds(text: string, schema: Schema): string {
  const bounds = [
    ...('const' in schema ? [code(schema.const)] : []),
    ...values(schema.enum ?? schema['x-extensible-enum']),
    ...(schema['x-extensible-enum'] ? ['later ones may follow'] : []),
    ...(schema.format && schema.format !== 'double' ? [String(schema.format)] : []),
    ...range('characters', schema.minLength, schema.maxLength),
    ...range('elements', schema.minItems, schema.maxItems),
    ...range('entries', schema.minProperties, schema.maxProperties),
    ...numbers(schema),
    ...('default' in schema ? [`default ${code(schema.default)}`] : []),
  ];
  return [text, ...bounds].join(', ');
}

const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
const values = (among: unknown): string[] => (Array.isArray(among) ? [`one of ${among.map(code).join(' ')}`] : []);

function range(what: string, least: unknown, most: unknown): string[] {
  if (typeof least === 'number' && typeof most === 'number') return [least === most ? `${least} ${what}` : `${least} to ${most} ${what}`];
  if (typeof most === 'number') return [`at most ${most} ${what}`];
  return typeof least === 'number' && least > 0 ? [`at least ${least} ${what}`] : [];
}

const numbers = ({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string[] => [
  ...(typeof minimum === 'number' ? [`≥ ${minimum}`] : []),
  ...(typeof exclusiveMinimum === 'number' ? [`> ${exclusiveMinimum}`] : []),
  ...(typeof maximum === 'number' ? [`≤ ${maximum}`] : []),
  ...(typeof exclusiveMaximum === 'number' ? [`< ${exclusiveMaximum}`] : []),
];
