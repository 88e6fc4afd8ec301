import { routeNames, routes } from '../routes.ts';
import { aliases } from './aliases.ts';
import type { Schema } from './decorators/rule.ts';
import { schemaOf } from './json-schema.ts';
import { nearestName } from './nearest-name.ts';

const item = ['product_id', 'description', 'quantity', 'unit', 'unit_price', 'discounts', 'charges', 'taxes', 'tax_rate'];
const invoice = ['type', 'customer_id', 'items', 'currency', 'series', 'issue_date', 'due_date', 'notes', 'metadata'];
const customer = ['name', 'email', 'phone', 'tax_id', 'language', 'address'];

describe('the name that may be meant', () => {
  test.each([
    ['another case', 'customerId', invoice, 'customer_id'],
    ['another case', 'customerID', invoice, 'customer_id'],
    ['another case', 'Due-Date', invoice, 'due_date'],
    ['a letter too few', 'custmer_id', invoice, 'customer_id'],
    ['a letter too many', 'notess', invoice, 'notes'],
    ['another letter', 'unit_prise', item, 'unit_price'],
    ['two letters swapped', 'emial', customer, 'email'],
    ['an alias', 'customer', invoice, 'customer_id'],
    ['an alias', 'qty', item, 'quantity'],
    ['an alias in another case', 'vatRate', item, 'tax_rate'],
    ['an alias with several targets', 'vat', customer, 'tax_id'],
    ['an alias with several targets', 'vat', item, 'tax_rate'],
    ['an alias before a similar name', 'price', ['prices', 'unit_price'], 'unit_price'],
    ['the nearest of several', 'tax_rat', ['tax_id', 'tax_rate'], 'tax_rate'],
  ])('%s: %s', (_, name, known, nearest) => expect(nearestName(name, known)).toBe(nearest));

  test.each([
    ['nothing like it', 'colour', item],
    ['an alias whose target is not here', 'qty', customer],
    ['too short to be a typing error', 'ab', ['abc', 'a']],
    ['too many letters off', 'discnt_lst', item],
    ['too long', 'customer_id'.repeat(5), invoice],
    ['nothing known', 'name', []],
    ['a property of Object', 'constructor', invoice],
    ['a property of Object', '__proto__', invoice],
    ['no letters', '💶💶💶💶', invoice],
    ['an empty name', '', invoice],
  ])('none: %s', (_, name, known) => expect(nearestName(name, known)).toBeUndefined());
});

test('every alias leads to a field or parameter of some request', () => {
  const names = (schema: Schema): string[] => {
    const own = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    const inside = own.flatMap(([, field]) => [...names(field), ...names((field.items ?? {}) as Schema)]);
    return [...own.map(([name]) => name), ...inside];
  };
  const known = new Set(
    routeNames.flatMap((name) => [routes[name].body ?? [], routes[name].query].flat().flatMap((shape) => names(schemaOf(shape)))),
  );
  expect(Object.entries(aliases).filter(([, targets]) => !targets.some((target) => known.has(target)))).toEqual([]);
});
