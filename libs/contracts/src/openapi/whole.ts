import type { Form } from './side.ts';
import type { Schema } from '../schema/decorators/rule.ts';

const MOST_INT32 = 2 ** 31 - 1;

/** An integer that 32 bits do not hold says so: many generators take 32 bits where no format is given. undefined for any other schema. */
export const whole = (schema: Schema): Form | undefined =>
  schema.type === 'integer' && (schema.maximum as number) > MOST_INT32 ? { schema: { ...schema, format: 'int64' } } : undefined;
