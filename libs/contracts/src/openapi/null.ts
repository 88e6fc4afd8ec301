import type { Schema } from '../schema/decorators/rule.ts';

const NULL: Schema = { type: 'null' };

/** A schema without the null that it allows, in either form of ours: among its types, or as a branch. */
export function withoutNull(schema: Schema): { isNullable: boolean; schema: Schema } {
  const { type, enum: values, anyOf, ...rest } = schema;
  if (Array.isArray(type) && type.includes('null')) {
    const types = type.filter((one) => one !== 'null');
    const known = Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {};
    return { isNullable: true, schema: { type: types.length === 1 ? types[0] : types, ...rest, ...known } };
  }
  const branches = (anyOf ?? []) as Schema[];
  const others = branches.filter((branch) => branch.type !== 'null');
  if (others.length === branches.length) return { isNullable: false, schema };
  return { isNullable: true, schema: others.length === 1 ? { ...others[0], ...rest } : { anyOf: others, ...rest } };
}

/** A published schema or null. */
export function nullable({ description, ...schema }: Schema): Schema {
  const about = description === undefined ? {} : { description };
  return typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'], ...about } : { anyOf: [schema, NULL], ...about };
}
