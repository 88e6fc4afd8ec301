import { type RouteName, routes } from '../routes.ts';
import type { Schema } from '../schema/decorators/rule.ts';
import { schemaOf } from '../schema/json-schema.ts';

const known = new Map<RouteName, ReadonlySet<string>>();

/**
 * The members of a route's response that are exact decimals (amounts, prices, quantities, rates), each as `<member that holds it>.<member>`: `.total`,
 * `items.quantity`. Objects in a list count as held by the member that is the list.
 */
export function decimalsIn(name: RouteName): ReadonlySet<string> {
  const found = known.get(name) ?? new Set(decimalsOf(schemaOf(routes[name].response)));
  known.set(name, found);
  return found;
}

/** The same of a response's schema. */
export function* decimalsOf({ properties = {}, items, anyOf = [] }: Schema, holder = ''): Generator<string> {
  for (const [member, schema] of Object.entries(properties as Record<string, Schema>)) {
    if (isDecimal(schema)) yield `${holder}.${member}`;
    yield* decimalsOf(schema, member);
  }
  for (const schema of [items, ...(anyOf as Schema[])]) if (schema) yield* decimalsOf(schema as Schema, holder);
}

const isDecimal = ({ exact, anyOf = [] }: Schema): boolean => exact !== undefined || (anyOf as Schema[]).some(isDecimal);
