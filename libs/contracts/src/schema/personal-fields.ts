import type { Class } from './class.ts';
import { nestedOf } from './decorators/nested.ts';
import { isPersonal } from './decorators/about.ts';
import type { Schema } from './decorators/rule.ts';
import { schemaOf } from './json-schema.ts';

export interface Field {
  name: string;
  isPersonal: boolean;
  schema: Schema;
}

/** The fields of these shapes and of all objects in them, each class once; those of what is personal as a whole are not in it. */
export function fieldsOf(shapes: Iterable<Class>): Field[] {
  const [fields, seen, waiting]: [Field[], Set<Class>, Class[]] = [[], new Set(), [...shapes]];
  for (let shape = waiting.pop(); shape; shape = waiting.pop()) {
    if (seen.has(shape)) continue;
    seen.add(shape);
    const prototype = shape.prototype as object;
    for (const [name, schema] of Object.entries(schemaOf(shape).properties as Record<string, Schema>)) {
      const nested = nestedOf(prototype, name);
      const isOne = isPersonal(prototype, name);
      fields.push({ name, isPersonal: isOne, schema });
      if (nested && !isOne) waiting.push(nested);
    }
  }
  return fields;
}

/** Names of the fields of these shapes that are personal. */
export const personalNames = (shapes: Iterable<Class>): ReadonlySet<string> =>
  new Set(fieldsOf(shapes).flatMap(({ name, isPersonal: is }) => (is ? [name] : [])));
