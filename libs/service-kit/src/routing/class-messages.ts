import type { Class } from '@svc/contracts/http/class';
import { nestedOf } from '@svc/contracts/http/decorators/index';
import { isRawNumber } from '@svc/kernel';
import { validateSync, type ValidationError } from 'class-validator';

/** What class-validator says of the fields of `body`, by path. Only for a body that was refused already: this takes long. */
export function classMessages(described: Class, body: object): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const collect = (errors: ValidationError[], above: string): void => {
    for (const { property, constraints, children } of errors) {
      const path = above + property;
      if (constraints) found.set(path, Object.values(constraints));
      collect(children ?? [], `${path}.`);
    }
  };
  const options = { forbidUnknownValues: false, validationError: { target: false, value: false } };
  collect(validateSync(instanceOf(described, body), options), '');
  return found;
}

/** `value` as an instance of `described`, and what it holds as instances of their classes: class-validator goes by them. */
function instanceOf(described: Class, value: object): object {
  const held = Object.entries(value).map(([field, inside]) => {
    const below = nestedOf(described.prototype as object, field);
    const made = (item: unknown): unknown => (below && isObject(item) ? instanceOf(below, item) : item);
    return [field, Array.isArray(inside) ? inside.map(made) : made(inside)];
  });
  return Object.assign(new described(), Object.fromEntries(held));
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
