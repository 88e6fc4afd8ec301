import { type RouteName, routes } from './routes.ts';
import type { Schema } from './schema/decorators/rule.ts';
import { schemaOf } from './schema/json-schema.ts';

/**
 * The members of a response that are exact decimals (amounts, prices, quantities, rates), by the member that holds them: '' at the top, the member that is the
 * list for objects in a list.
 */
export type Decimals = ReadonlyMap<string, ReadonlySet<string>>;

const known = new Map<RouteName, Decimals>();

/** The decimals of a route's response. Two members of the same names below different objects are one: a spec holds that both are decimals then. */
export function decimalsIn(name: RouteName): Decimals {
  let decimals = known.get(name);
  if (!decimals) known.set(name, (decimals = byHolder(decimalsOf(schemaOf(routes[name].response)))));
  return decimals;
}

function byHolder(decimals: Iterable<readonly [string, string]>): Decimals {
  const members = new Map<string, Set<string>>();
  for (const [holder, member] of decimals) members.set(holder, (members.get(holder) ?? new Set()).add(member));
  return members;
}

/** `[holder, member]` of each decimal of a schema. */
export function* decimalsOf(schema: Schema, holder = ''): Generator<readonly [string, string]> {
  for (const [member, field] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)) {
    if (isDecimal(field)) yield [holder, member];
    yield* decimalsOf(field, member);
  }
  for (const inner of inPlace(schema)) yield* decimalsOf(inner, holder);
}

/** The schemas of what is held by the same member: the objects of a list, forms that an object may have. */
export const inPlace = ({ items, anyOf = [], fieldsOf }: Schema): Schema[] => [
  ...(items ? [items as Schema] : []),
  ...(anyOf as Schema[]),
  ...((fieldsOf as (() => Schema[]) | undefined)?.() ?? []),
];

const isDecimal = ({ exact, anyOf = [] }: Schema): boolean => exact !== undefined || (anyOf as Schema[]).some(isDecimal);
