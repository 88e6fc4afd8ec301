import { receives, type Endpoint, type Published } from './endpoint.ts';

const made = Date.parse('2026-01-15T12:00:00.000Z');
const topic = 'invoicing.invoice';
const endpoint = {
  status: 'enabled',
  deleted: false,
  events: ['invoice.created'],
  created_at: '2026-01-15T12:00:00.000Z',
  ends: { [topic]: { '3': '70' } },
} as unknown as Endpoint;
const created: Published = { type: 'invoice.created', at: made, topic, position: { part: '3', at: 70n } };
const DAY = 86_400_000;

test('an enabled endpoint receives the types that it named, or all', () => {
  expect(receives(endpoint, created)).toBe(true);
  expect(receives(endpoint, { ...created, type: 'invoice.voided' })).toBe(false);
  expect(receives({ ...endpoint, events: ['*'] }, { ...created, type: 'invoice.voided' })).toBe(true);
  expect(receives({ ...endpoint, status: 'disabled' }, created)).toBe(false);
  expect(receives({ ...endpoint, deleted: true }, created)).toBe(false);
});

test.each([
  [69n, DAY, false],
  [70n, -DAY, true],
  [71n, -DAY, true],
])('an endpoint created at position 70 and an event at %s whose clock is %s ms off: received %s', (at, off, isReceived) => {
  expect(receives(endpoint, { ...created, at: made + off, position: { part: '3', at } })).toBe(isReceived);
});

test.each<[string, Partial<Endpoint>, Partial<Published>]>([
  ['an endpoint after a restore', { ends: undefined }, {}],
  ['an event that came without a position', {}, { position: undefined }],
  ['a topic that was created anew', {}, { position: { part: '3', at: 2n, end: 3n } }],
])('compares times for %s', (_what, one, event) => {
  expect(receives({ ...endpoint, ...one }, { ...created, ...event, at: made - 1 })).toBe(false);
  expect(receives({ ...endpoint, ...one }, { ...created, ...event, at: made })).toBe(true);
});
