import type { Seen } from '../e2e/testing/checked-client.ts';
import { missingIn } from './testing/shape.ts';

const answer = (body: object, { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {}): Seen => ({
  route: 'GET /invoices',
  method: 'GET',
  path: '/invoices',
  answer: { status, headers: new Headers(headers), body, text: JSON.stringify(body) } as unknown as Seen['answer'],
});

test.each([
  ['a status', answer({}), answer({}, { status: 202 })],
  ['a header', answer({}), answer({}, { headers: { etag: '1' } })],
  ['the value of a header that is compared', answer({}, { headers: { vary: 'a' } }), answer({}, { headers: { vary: 'b' } })],
  ['a name', answer({ id: 'a' }), answer({ id: 'a', total: 1 })],
  ['a name in a list', answer({ data: [{ id: 'a' }] }), answer({ data: [{ id: 'a', total: 1 }] })],
  ['a type', answer({ total: '1' }), answer({ total: 1 })],
  ['a name that is always null', answer({ id: 'a' }), answer({ id: 'a', error: null })],
  ['a type, where the other has null too', answer({ data: [{ at: null }, { at: '2026' }] }), answer({ data: [{ at: 2026 }] })],
  ["an error's words", answer({ error: { message: 'No.' } }, { status: 404 }), answer({ error: { message: 'Nothing.' } }, { status: 404 })],
])('reports %s that the other lacks', (_what, other, one) => {
  expect(missingIn([other], [one])).toHaveLength(1);
  expect(missingIn([one, other], [one])).toEqual([]);
});

test('is not misled by an empty response', () => {
  const others = [answer({ data: [] }), answer({ data: [{ id: 'a' }] })];
  expect(missingIn(others, [answer({ data: [{ id: 'a', total: 1 }] })])).toHaveLength(1);
});

test.each([
  ['null', answer({ error: null }), answer({ error: { code: 'x' } })],
  ['not null', answer({ used_at: '2026' }), answer({ used_at: null })],
  ['an empty list', answer({ data: [] }), answer({ data: [{ id: 'a' }] })],
  [
    'another time in an error',
    answer({ error: { message: 'Try again in 59 s.' } }, { status: 429 }),
    answer({ error: { message: 'Try again in 60 s.' } }, { status: 429 }),
  ],
  [
    'another id in an error',
    answer({ error: { message: `inv_${'0'.repeat(26)}` } }, { status: 404 }),
    answer({ error: { message: `inv_${'1'.repeat(26)}` } }, { status: 404 }),
  ],
])('accepts %s as a value', (_what, other, one) => {
  expect(missingIn([other], [one])).toEqual([]);
});
