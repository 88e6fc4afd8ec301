import type { Change } from './change.ts';
import type { JsonSchema } from './refused.ts';

interface Document {
  components?: { schemas?: Record<string, JsonSchema> };
}

/**
 * What breaks the source of a program that uses a generated client: a schema whose name is gone, since it is the name of a type, and another format of a
 * field, since it is its type. oasdiff compares values: it follows names, and a narrower format of a response is harmless to it.
 */
export function typesChanged(then: Document, now: Document): Change[] {
  const [before, after] = [then, now].map(({ components }) => components?.schemas ?? {}) as [Schemas, Schemas];
  return Object.entries(before).flatMap(([name, schema]) => {
    const today = after[name];
    return today ? formatsChanged(schema, today, name) : [{ id: 'schema-gone', text: `the schema ${name} is gone or has another name` }];
  });
}
type Schemas = Record<string, JsonSchema>;

function formatsChanged(then: unknown, now: unknown, path: string): Change[] {
  if (!isObject(then) || !isObject(now)) return [];
  const inside = Object.keys(then).flatMap((key) => formatsChanged(then[key], now[key], key === 'properties' ? path : `${path}/${key}`));
  if (!('type' in then) || !('type' in now) || then['format'] === now['format']) return inside;
  return [{ id: 'format-changed', text: `${path} has the format ${shown(now)}, not ${shown(then)}` }, ...inside];
}

const isObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;
const shown = ({ format }: JsonSchema): string => (typeof format === 'string' ? `\`${format}\`` : 'none');
