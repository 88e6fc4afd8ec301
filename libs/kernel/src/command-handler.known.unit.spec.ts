import { FakeClock } from './fake-clock.ts';
import { createCommandHandler } from './command-handler.ts';
import type { Decider } from './decider.ts';
import { createIds } from './ids.ts';
import { memoryStreams } from './testing/memory-streams.ts';

test('a command on a stream of which the store knows another end than the cache is decided once, on the stored state', async () => {
  const ids = createIds(new FakeClock());
  const streams = memoryStreams();
  interface Added {
    type: string;
    data: { add: number };
  }
  const decider: Decider<number, number, Added> = {
    initialState: 0,
    decide: (add) => [{ type: 'Added', data: { add } }],
    evolve: (sum, { data }) => sum + data.add,
  };
  const decode = ({ type, data }: { type: string; data: object }) => ({ type, data: data as { add: number } });
  const { handle } = createCommandHandler({ streams, decider, decode, versions: { Added: 1 }, ids });
  const metadata = { account: 'acct_1', env: 'test' as const };
  const decisions: number[] = [];
  const add = (sum: number): number => (decisions.push(sum), 1);
  await handle('tally-test.acct_1.t_1', add, metadata);
  streams.known = () => 0n;
  expect(await handle('tally-test.acct_1.t_1', add, metadata)).toMatchObject({ state: 2, revision: 1n });
  streams.known = () => 'none';
  expect(await handle('tally-test.acct_1.t_2', add, metadata)).toMatchObject({ state: 1, revision: 0n });
  expect(decisions).toEqual([0, 1, 0]);
});
