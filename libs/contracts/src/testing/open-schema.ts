import { Ajv, type ValidateFunction } from 'ajv';
import { ajvOptions, customizeAjv } from '../schema/ajv.ts';
import type { Class } from '../schema/class.ts';
import type { Schema } from '../schema/decorators/rule.ts';
import { schemaOf, sharing } from '../schema/json-schema.ts';

/** The schema with additional properties allowed, for fields of later releases. */
export function opened(schema: Schema): Schema {
  const open = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(open);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([key, content]) => key !== 'additionalProperties' || content !== false);
    return Object.fromEntries(entries.map(([key, content]) => [key, open(content)]));
  };
  return open(schema) as Schema;
}

const validators = new WeakMap<Class, ValidateFunction>();

/** The validator of a class that accepts fields of later releases. */
export function openValidatorOf(shape: Class): ValidateFunction {
  const validate = validators.get(shape) ?? customizeAjv(new Ajv(ajvOptions)).compile(sharing(opened(schemaOf(shape))));
  validators.set(shape, validate);
  return validate;
}
