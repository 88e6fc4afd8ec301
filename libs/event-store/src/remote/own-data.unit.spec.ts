import type { NewEvent } from '@svc/kernel';
import { createOwnData } from './own-data.ts';

const event = (id: string): NewEvent =>
  ({ id, type: 'Noted', data: { id }, metadata: { v: 1, account: 'acct_1', env: 'test' } }) as NewEvent;
const of = (bytes: number) => ({ data: '', bytes });

test('finds the data of what was appended last, within its bytes', () => {
  const own = createOwnData(10_000);
  const events = ['a', 'b', 'c'].map(event);
  own.add(events, [of(1_000), of(4_000), of(4_500)]);
  expect(events.map(({ id, data }) => own.of(id) === data)).toEqual([false, true, true]);
  expect(own.of('d')).toBeUndefined();
});

test('an event larger than its bytes is not kept', () => {
  const own = createOwnData(10_000);
  own.add([event('a')], [of(10_000)]);
  expect(own.of('a')).toBeUndefined();
});
