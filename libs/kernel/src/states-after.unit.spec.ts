import { FakeClock } from './fake-clock.ts';
import { createCommandHandler } from './command-handler.ts';
import { createIds } from './ids.ts';
import { BYTES, memoryStreams } from './testing/memory-streams.ts';
import { madeAfter, statesAfter, type Fold } from './states-after.ts';
import type { After, Recorded } from './stream.ts';

const recorded = (after?: After): Recorded =>
  ({ stream: 'tally-test.acct_1.t_1', revision: 1n, type: 'Added', data: {}, bytes: 20, after }) as unknown as Recorded;
const fail = (): never => {
  throw new Error('not needed');
};

test('a state that the event carries is neither read nor folded', async () => {
  const fold: Fold<number> = { initialState: 0, evolve: fail, isWhole: fail };
  const states = statesAfter({ read: fail });
  const event = recorded({ state: 7, bytesBefore: 100 });
  expect([...states.each([event], () => fold)]).toEqual([event]);
  expect(await states.after(event, fold)).toEqual({ state: 7, bytes: 120 });
});

test('what is made of a state is made once where the event carries it', () => {
  const [own, read] = [recorded({ state: 7, bytesBefore: 100 }), recorded()];
  const make = (): object => ({});
  expect(madeAfter({ ...own }, make)).toBe(madeAfter(own, make));
  expect(madeAfter(read, make)).not.toBe(madeAfter(read, make));
});

test('an event that a command appends carries the state after it, and the size of the events before', async () => {
  const streams = memoryStreams();
  const { handle } = createCommandHandler<number, number, { type: 'Added'; data: { amount: number } }>({
    streams,
    decider: {
      initialState: 0,
      decide: (amount) => (amount === 0 ? [] : [{ type: 'Added', data: { amount } }]),
      evolve: (total, { data }) => total + data.amount,
    },
    decode: ({ data }) => ({ type: 'Added', data: data as { amount: number } }),
    versions: { Added: 1 },
    ids: createIds(new FakeClock()),
  });
  const add = (amount: number) => handle('tally-test.acct_1.t_1', () => amount, { account: 'acct_1', env: 'test' });
  await add(5);
  const { after } = await add(2);
  expect(streams.events.map((event) => event.after)).toEqual([
    { state: 5, bytesBefore: 0 },
    { state: 7, bytesBefore: BYTES },
  ]);
  expect(after).toBe(streams.events[1]?.after);
});
