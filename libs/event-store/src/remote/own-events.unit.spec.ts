import type { NewEvent } from '@svc/kernel';
import { createOwnEvents } from './own-events.ts';

const event = (id: string): NewEvent =>
  ({ id, type: 'Noted', data: { id }, metadata: { v: 1, account: 'acct_1', env: 'test' } }) as NewEvent;
const of = (bytes: number) => ({ data: '', bytes });

test('finds what was appended last, within its bytes', () => {
  const own = createOwnEvents(10_000);
  const events = ['a', 'b', 'c'].map(event);
  own.add(events, [of(1_000), of(4_000), of(4_500)]);
  expect(events.map((one) => own.of(one.id) === one)).toEqual([false, true, true]);
  expect(own.of('d')).toBeUndefined();
});

test('an event larger than its bytes is not kept, nor one whose state is', () => {
  const own = createOwnEvents(10_000);
  own.add([event('a'), { ...event('b'), after: { state: {}, bytesBefore: 2_500 } }], [of(10_000), of(1)]);
  expect([own.of('a'), own.of('b')]).toEqual([undefined, undefined]);
});
