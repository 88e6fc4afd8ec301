import { listensTo, type Endpoint } from './endpoint.ts';

const made = Date.parse('2026-01-15T12:00:00.000Z');
const endpoint = {
  status: 'enabled',
  deleted: false,
  events: ['invoice.created'],
  created_at: '2026-01-15T12:00:00.000Z',
} as unknown as Endpoint;
const created = { type: 'invoice.created', at: made + 1 };

test('an enabled endpoint listens to the types that it named, or to all', () => {
  expect(listensTo(endpoint, created)).toBe(true);
  expect(listensTo(endpoint, { ...created, type: 'invoice.voided' })).toBe(false);
  expect(listensTo({ ...endpoint, events: ['*'] }, { ...created, type: 'invoice.voided' })).toBe(true);
  expect(listensTo({ ...endpoint, status: 'disabled' }, created)).toBe(false);
  expect(listensTo({ ...endpoint, deleted: true }, created)).toBe(false);
});

test('what happened before it was made is not told, however late it comes', () => {
  expect(listensTo(endpoint, { ...created, at: made - 1 })).toBe(false);
  expect(listensTo(endpoint, { ...created, at: made })).toBe(true);
});
