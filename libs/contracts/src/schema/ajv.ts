import { isDay, isRawNumber, isTimeZone } from '@svc/kernel';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Class } from './class.ts';
import { isCurrency } from './decorators/codes.ts';
import { isCountry } from './decorators/countries.ts';
import { decimalNumber, isExact } from './decorators/numbers.ts';
import { isEmailAddress, isPlainText } from './decorators/text.ts';
import { isMoment, isTimestamp } from './decorators/times.ts';
import type { Schema } from './decorators/rule.ts';
import type { Condition } from './decorators/together.ts';
import { opened, schemaOf, sharing } from './json-schema.ts';

/**
 * Nothing is changed, and the first error ends it: with `allErrors` Ajv copies what it has found so far at every `$ref`, and a body of
 * 131,000 errors took 84 s (`faultsOf` tells of more than the first). The schemas are our own and not judged themselves, which halves
 * the first use.
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

/** Teaches an Ajv the formats and keywords that the schemas of this library use. */
export function customizeAjv(ajv: Ajv): Ajv {
  ajv.addFormat('text', isPlainText);
  ajv.addFormat('email-address', isEmailAddress);
  ajv.addFormat('currency', isCurrency);
  ajv.addFormat('country', isCountry);
  ajv.addFormat('time-zone', isTimeZone);
  ajv.addFormat('day', isDay);
  ajv.addFormat('timestamp', isTimestamp);
  ajv.addFormat('moment', isMoment);
  // Decimal strings are judged by `pattern`, numbers by the same pattern here: one error for one wrong value.
  ajv.addKeyword({ keyword: 'decimal', type: 'number', schemaType: 'string', compile: decimalNumber });
  ajv.addKeyword({ keyword: 'exact', schemaType: 'boolean', compile: () => isExact });
  ajv.addKeyword({ keyword: 'plain', type: 'object', schemaType: 'boolean', compile: () => (value: unknown) => !isRawNumber(value) });
  ajv.addKeyword({ keyword: 'together', type: 'object', schemaType: 'array', compile: holding });
  return ajv;
}

const holding = (conditions: readonly Condition[]) => (object: Record<string, unknown>) =>
  conditions.every(({ problem }) => problem(object) === undefined);

let ofAll: Ajv | undefined;
/** Tells everything that is wrong: for schemas of one value, without others inside. */
export const ajvOfAll = (): Ajv => (ofAll ??= customizeAjv(new Ajv({ ...ajvOptions, allErrors: true })));

let shared: Ajv | undefined;

const judging = (form: (schema: Schema) => Schema) => {
  const validators = new WeakMap<Class, ValidateFunction>();
  return (shape: Class): ValidateFunction => {
    let validate = validators.get(shape);
    if (!validate) {
      shared ??= customizeAjv(new Ajv(ajvOptions));
      validate = shared.compile(sharing(form(schemaOf(shape))));
      validators.set(shape, validate);
    }
    return validate;
  };
};

/** The judge of a class, compiled once, when first asked for. */
export const validatorOf = judging((schema) => schema);
/** The same, which lets fields of later releases through. */
export const openValidatorOf = judging(opened);
