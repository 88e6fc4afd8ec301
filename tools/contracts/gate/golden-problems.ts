import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { ajvOptions } from '@svc/contracts/schema/ajv';
import { opened } from '@svc/contracts/testing/open-schema';

const ajv = addFormats.default(new Ajv(ajvOptions));
const validators = new WeakMap<object, ReturnType<Ajv['compile']>>();

/** What a schema finds wrong with events that were written by earlier releases; it ignores properties that it does not have. */
export function goldenProblems(schema: Record<string, unknown>, events: readonly unknown[]): string[] {
  let validate = validators.get(schema);
  if (!validate) {
    validate = ajv.compile(opened(schema));
    validators.set(schema, validate);
  }
  return events.flatMap((event) => {
    if (validate(event)) return [];
    const { instancePath = '', message = 'is wrong' } = validate.errors?.[0] ?? {};
    return [`${instancePath || '/'} ${message}`];
  });
}
