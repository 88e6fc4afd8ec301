import { DomainError, jsonNumber, parseExact, type Details } from '@svc/kernel';
import { CreateInvoice, UpdateInvoice } from '../invoice/requests.ts';
import { InvoiceResource } from '../invoice/resource.ts';
import { UpdateIssuer } from '../issuer/requests.ts';
import { exampleOf } from '../openapi/examples/index.ts';
import { routeNames, routes } from '../routes.ts';
import { checkCalculated, takeCalculated } from './calculated.ts';
import { isNullable } from './decorators/rule.ts';
import { writtenBy } from './decorators/metadata.ts';
import { schemaOf } from './json-schema.ts';
import { problemDetails } from './testing/problem-details.ts';

const copy = <Value>(value: Value): Value => structuredClone(value);
const invoice = (): Record<string, unknown> & InvoiceResource => copy(exampleOf(InvoiceResource)) as never;

/** The problems of a body that is sent where the resource is `now`, or where there is none. */
function problemsOfSent(
  body: object,
  now: object | null,
  next: () => object = () => now ?? {},
  request: typeof UpdateInvoice = UpdateInvoice,
): Details {
  try {
    checkCalculated(takeCalculated(request, body), now, next);
    return {};
  } catch (error) {
    if (error instanceof DomainError) return error.details ?? {};
    throw error;
  }
}

/** An erased customer, which cannot be changed, has no name; an issuer always has a language. */
const NEVER_NULL = /^PATCH \/(customers\/\{id\} name|issuer language)$/;

describe('every body that writes a resource', () => {
  const writing = routeNames.filter((name) => {
    const { method, ok, body } = routes[name];
    return body && (method === 'PATCH' || (method === 'POST' && ok === 201));
  });

  test.each(writing)('%s names the resource that it answers', (name) => {
    expect(writtenBy(routes[name].body!)?.resource).toBe(routes[name].response);
  });

  test.each(writing.filter((name) => exampleOf(routes[name].response)))(
    '%s takes all that the resource shows and the body does not have',
    (name) => {
      const { body: request, response } = routes[name];
      const resource = copy(exampleOf(response)) as Record<string, unknown>;
      const sent = copy(resource);
      takeCalculated(request!, sent);
      const written = schemaOf(request!).properties as object;
      expect(Object.keys(sent).filter((field) => !(field in written))).toEqual([]);
      const known = ({ path }: { path: string }) => !path.includes('payment');
      if (routes[name].method === 'PATCH') expect(problemDetails(request!, sent)).toBeUndefined();
      else expect(Object.keys(problemDetails(request!, sent) ?? {}).filter((path) => known({ path }))).toEqual([]);
    },
  );

  test.each(writing.filter((name) => routes[name].method === 'PATCH'))(
    '%s may send null for what the resource may show as null',
    (name) => {
      const { body: request, response } = routes[name];
      const written = Object.keys(schemaOf(request!).properties as object);
      const shownAsNull = written.filter((field) => isNullable(response.prototype as object, field));
      const refused = shownAsNull.filter((field) => !isNullable(request!.prototype as object, field));
      expect(refused.map((field) => `${name} ${field}`)).toEqual(refused.length > 0 ? [expect.stringMatching(NEVER_NULL)] : []);
    },
  );
});

describe('calculated fields', () => {
  test('of the resource as it was read are taken out of the body and no problem', () => {
    const sent = invoice();
    expect(
      problemsOfSent(sent, invoice(), () => {
        throw new Error('not needed');
      }),
    ).toEqual({});
    expect(problemDetails(UpdateInvoice, sent)).toBeUndefined();
    expect(Object.keys(sent)).not.toContain('total');
    expect(Object.keys(sent.items[0]!)).not.toContain('amount');
  });

  test('with other values are all named, with what to do', () => {
    const sent = {
      total: 99.99,
      status: 'submitted!',
      items: [{ ...invoice().items[0], amount: 99.99 }],
      customer: { id: 'x' },
      nothing: 1,
    };
    const problems = problemsOfSent(sent, invoice());
    expect(Object.keys(problems).sort()).toEqual(['customer', 'items.0.amount', 'status', 'total']);
    expect(problems['items.0.amount']).toEqual(['is calculated: leave it out, or send the value that the resource has.']);
    expect(Object.keys(problemDetails(UpdateInvoice, sent) ?? {})).toEqual(['nothing']);
  });

  test('that are given once cannot be changed', () => {
    expect(problemsOfSent({ type: 'credit_note', corrects: null }, invoice())).toEqual({ type: ['cannot be changed: leave it out.'] });
  });

  test('may have the value that the command makes', () => {
    const made = { ...invoice(), total: 7 };
    expect(problemsOfSent({ total: 7 }, invoice(), () => made)).toEqual({});
    expect(problemsOfSent({ total: 7 }, null, () => made)).toEqual({});
    expect(Object.keys(problemsOfSent({ id: 'inv_other' }, null, () => made))).toEqual(['id']);
  });

  test('of a line may be those of any line now, but not of another field', () => {
    const line = (amount: number, charge_amount = 0) => ({ amount, charge_amount });
    const now = { items: [line(1), line(2), line(3, 5)] };
    expect(problemsOfSent({ items: [line(2), line(3, 5)] }, now, () => ({ items: [line(8), line(9)] }))).toEqual({});
    expect(Object.keys(problemsOfSent({ items: [line(5), line(4)] }, now, () => ({ items: [line(8), line(4)] })))).toEqual([
      'items.0.amount',
    ]);
  });

  test.each([
    [12.3, '12.30', true],
    [12.3, '12.3', true],
    [12.3, '012.300', true],
    [0, '-0', true],
    [12.3, '12.31', false],
    [12.3, '1.23e1', false],
    [12.3, true, false],
    [12.3, null, false],
    [jsonNumber('123456789012345.67'), 123456789012345.67, true],
    [jsonNumber('123456789012345.67'), '123456789012345.67', true],
    [jsonNumber('123456789012345.67'), parseExact('123456789012345.68'), false],
    [jsonNumber('1234567890123456789.25'), Number('1234567890123456789.25'), true],
    ['2026-03-01T10:00:00.120Z', '2026-03-01T10:00:00.12Z', true],
    ['2026-03-01T10:00:00.120Z', '2026-03-01T12:00:00.120000+02:00', true],
    ['2026-03-01T10:00:00.120Z', '2026-03-01T10:00:00.121Z', false],
    ['12.30', '12.3', false],
    ['12.30', 12.3, false],
    ['Cafe\u0301 ', 'Caf\u00e9', true],
    [null, null, true],
    [undefined, null, true],
    [true, true, true],
    [true, 'true', false],
    [['a', 'b'], ['a', 'b'], true],
    [['a', 'b'], ['a'], false],
    [[], null, false],
    [{ a: 1, b: 2 }, { a: '1.0' }, true],
    [{ a: 1 }, { a: 1, b: null }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1 }, { toString: null }, true],
    [{ a: 1 }, { toString: 'x' }, false],
    [{ a: 1 }, [], false],
    [null, {}, false],
  ])('shown as %j and sent as %j: the same is %s', (shown, sent, same) => {
    expect(Object.keys(problemsOfSent({ fiscal_code: sent }, { fiscal_code: shown }))).toEqual(same ? [] : ['fiscal_code']);
  });

  test('what changes by itself is ignored whatever it is', () => {
    const fiscal = { status: 'pending', attempts: 1, last_attempt_at: null, error: null };
    const sent = { fiscal: { ...fiscal, attempts: 7, last_attempt_at: '2026-03-01T10:00:00.000Z', next_attempt_at: 'soon' } };
    expect(problemsOfSent(sent, { fiscal })).toEqual({});
    expect(Object.keys(problemsOfSent({ fiscal: { status: 'registered', attempts: 7 } }, { fiscal }))).toEqual(['fiscal']);
  });

  test('a body without any is left alone, and so is one that is no object', () => {
    for (const body of [{}, { notes: 'x', items: [{ unit_price: 1 }] }, [], null, 'x', 7, { items: 7 }, { items: [null, 7, 'x'] }]) {
      expect(takeCalculated(CreateInvoice, body)).toBeUndefined();
    }
    const settings = { series: { standard: { code: 'INV', format: '{seq}', start: 1 } }, units: [{ code: 'A', devices: [] }] };
    expect(takeCalculated(UpdateIssuer, settings)).toBeUndefined();
  });

  test('500 lines that have moved are compared at once', () => {
    const line = (n: number) => ({ amount: n, discount_amount: 0, charge_amount: 0 });
    const now = { items: Array.from({ length: 500 }, (_, n) => line(n)) };
    expect(problemsOfSent({ items: copy(now.items).reverse().slice(1) }, now)).toEqual({});
  });
});
