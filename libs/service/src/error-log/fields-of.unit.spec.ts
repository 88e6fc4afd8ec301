import { invalid } from '@svc/kernel';
import { errorPayload } from '../errors/payload.ts';
import { fieldsOf } from './error-log.ts';

const wrong = invalid({
  'items.0.unit_price': ['4711 is too much'],
  'metadata.John Smith <j@example.com>': ['is too long'],
  '4111111111111111': ['There is no such field here.'],
  custmer_id: ['There is no such field here.'],
  [`x${'y'.repeat(90)}`]: ['There is no such field here.'],
});

test('the fields of an error are its paths, in both of its forms, and neither messages nor what is no name', () => {
  const fields = ['items.0.unit_price', 'metadata.*', '*', 'custmer_id'];
  const { body } = errorPayload(wrong, 'req_1');
  expect(fieldsOf(body)).toEqual(fields);
  expect(fieldsOf(Buffer.from(body))).toEqual(fields);
  expect(fieldsOf(errorPayload(wrong, 'req_1', 'application/problem+json').body)).toEqual(fields);
});

test('they are twenty at most', () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, ['is wrong']]));
  expect(fieldsOf(errorPayload(invalid(many), 'req_1').body)).toHaveLength(20);
});

test.each([
  undefined,
  '',
  'null',
  '{"details":',
  '[]',
  '{"error":{"code":"not_found"}}',
  new Uint8Array(3),
  `"details":${'x'.repeat(300_000)}`,
])('of anything else there are none: %#', (payload) => expect(fieldsOf(payload)).toEqual([]));
