import { storedEvents, UnknownEvent } from './folding.ts';

type Event = { type: 'Renamed'; data: { first: string; last: string } };

const { decode, versions } = storedEvents<Event>(
  { Renamed: 3 },
  {
    'Renamed.1': ({ name }: { name: string }) => ({ names: name.split(' ') }),
    'Renamed.2': ({ names: [first, last] }: { names: string[] }) => ({ first, last }),
  },
);
const recorded = (type: string, v: number, data: object) => ({
  id: '1',
  type,
  data,
  metadata: { v, account: 'acct_1', env: 'test' as const },
  stream: 'thing-test.acct_1.thing_1',
  revision: 0n,
  recordedAt: 0,
  bytes: 0,
  position: 1n,
});

test('upcasts older versions step by step; writes the newest version', () => {
  const today = { type: 'Renamed', data: { first: 'Ada', last: 'Byron' } };
  expect(decode(recorded('Renamed', 1, { name: 'Ada Byron' }))).toEqual(today);
  expect(decode(recorded('Renamed', 2, { names: ['Ada', 'Byron'] }))).toEqual(today);
  expect(decode(recorded('Renamed', 3, today.data))).toEqual(today);
  expect(versions.Renamed).toBe(3);
});

test('throws UnknownEvent on an unknown type, a later version and a missing upcast', () => {
  for (const [type, v] of [
    ['Blessed', 1],
    ['Renamed', 4],
    ['Renamed', 0],
    ['toString', 1],
  ] as const)
    expect(() => decode(recorded(type, v, {}))).toThrow(UnknownEvent);
});
