import { isDay, isRawNumber, isTimeZone } from '@svc/kernel';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Class } from './class.ts';
import { isCurrency, isCountry } from './decorators/codes.ts';
import { decimalNumber, isExact } from './decorators/numbers.ts';
import { isEmailAddress, textFormats } from './decorators/text.ts';
import { canonicalTimestamp, isMoment, isTimestamp } from './decorators/times.ts';
import type { Schema } from './decorators/rule.ts';
import type { Condition } from './decorators/together.ts';
import { schemaOf, sharing } from './json-schema.ts';

/**
 * Validates without changing the value, and stops at the first error: with `allErrors` Ajv copies the errors at every `$ref`, and a body with
 * 131,000 errors took 84 s. (`findProblems` finds the others.) The schemas themselves are not validated, which halves the time of compiling.
 */
export const ajvOptions = {
  allErrors: false,
  removeAdditional: false,
  coerceTypes: false,
  useDefaults: false,
  strict: false,
  validateSchema: false,
  meta: false,
  allowUnionTypes: true,
} as const;

/** Adds the formats and keywords that the schemas of this library use. */
export function customizeAjv(ajv: Ajv): Ajv {
  for (const [name, problem] of Object.entries(textFormats)) ajv.addFormat(name, (text: string) => problem(text) === undefined);
  ajv.addFormat('email-address', isEmailAddress);
  ajv.addFormat('currency', isCurrency);
  ajv.addFormat('country', isCountry);
  ajv.addFormat('time-zone', isTimeZone);
  ajv.addFormat('day', isDay);
  ajv.addFormat('timestamp', isTimestamp);
  ajv.addFormat('sent-timestamp', (text: string) => canonicalTimestamp(text) !== undefined);
  ajv.addFormat('moment', isMoment);
  // Decimal strings are validated by `pattern`, numbers by the same pattern here: one error for one wrong value.
  ajv.addKeyword({ keyword: 'decimal', type: 'number', schemaType: 'object', compile: decimalNumber });
  ajv.addKeyword({ keyword: 'exact', schemaType: 'boolean', compile: () => isExact });
  ajv.addKeyword({ keyword: 'plain', type: 'object', schemaType: 'boolean', compile: () => (value: unknown) => !isRawNumber(value) });
  ajv.addKeyword({ keyword: 'each', type: 'array', schemaType: 'object', macro: (items: Schema) => ({ items }) });
  ajv.addKeyword({ keyword: 'together', type: 'object', schemaType: 'array', compile: holding });
  return ajv;
}

const holding = (conditions: readonly Condition[]) => (object: Record<string, unknown>) =>
  conditions.every(({ problem }) => problem(object) === undefined);

let ofAll: Ajv | undefined;
/** Finds all errors: for schemas of a single value without nested values. */
export const ajvOfAll = (): Ajv => (ofAll ??= customizeAjv(new Ajv({ ...ajvOptions, allErrors: true })));

let shared: Ajv | undefined;
const validators = new WeakMap<Class, ValidateFunction>();

/** The validator of a class, compiled at the first use. */
export function validatorOf(shape: Class): ValidateFunction {
  let validate = validators.get(shape);
  if (!validate) {
    shared ??= customizeAjv(new Ajv(ajvOptions));
    validate = shared.compile(sharing(schemaOf(shape)));
    validators.set(shape, validate);
  }
  return validate;
}
