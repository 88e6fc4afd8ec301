import { isRawNumber } from '@svc/kernel';
import type { ErrorObject } from 'ajv';
import { settleAlternatives } from './alternatives.ts';

/** More than a person would read; a request of 256 KiB can hold tens of thousands. */
const MOST_ERRORS = 2_000;

/** Every wrong field of `body` by its path (`items.0.quantity`), in the order Ajv met them, with what is wrong with it. */
export function wrongFields(errors: readonly ErrorObject[], body: unknown): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const error of settleAlternatives(errors.slice(0, MOST_ERRORS))) {
    if (error.keyword === 'if') continue; // what is wrong below it is told by itself
    const { path, message } = isTooLong(body, error) ?? { path: pathOf(error), message: messageOf(error) };
    const name = path.join('.') || 'body';
    const messages = fields.get(name);
    if (!messages) fields.set(name, [message]);
    else if (!messages.includes(message)) messages.push(message);
  }
  return fields;
}

const steps = (instancePath: string): string[] =>
  instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

function pathOf({ instancePath, params, propertyName }: ErrorObject): string[] {
  const field: unknown =
    params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName ?? propertyName;
  return typeof field === 'string' ? [...steps(instancePath), field] : steps(instancePath);
}

/** A number that a double cannot hold is raw JSON here, an object to Ajv: whatever Ajv finds wrong with it, this is what is. */
function isTooLong(body: unknown, error: ErrorObject): { path: string[]; message: string } | undefined {
  const path = steps(error.instancePath);
  let value = body;
  for (let depth = 0; depth <= path.length; depth += 1) {
    if (isRawNumber(value)) {
      return {
        path: path.slice(0, depth),
        message: 'This number has more than 15 significant digits, which a JSON number does not keep for certain: send it as a string.',
      };
    }
    if (typeof value !== 'object' || value === null || depth === path.length) return undefined;
    value = (value as Record<string, unknown>)[path[depth] as string];
  }
  return undefined;
}

/** Told as it is, whatever the field's own rules would say of nothing. */
export const REQUIRED = 'This field is required.';

function messageOf({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return REQUIRED;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'There is no such field here. Leave it out.';
    case 'enum':
      return `Send one of: ${(params.allowedValues as unknown[]).join(', ')}.`;
    case 'anyOf':
    case 'oneOf':
      return 'This is none of the things that it may be.';
    case 'pattern':
      return 'This does not have the form that it must have.';
    case 'format':
      return `Send a ${String(params.format)}.`;
    case 'together': // says itself what to send
      return message ?? REQUIRED;
    default:
      return `This ${message ?? 'is wrong'}.`;
  }
}
