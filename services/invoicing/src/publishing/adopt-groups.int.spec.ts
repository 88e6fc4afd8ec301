import { topics } from '@svc/contracts/events/envelope';
import type { Doc } from '@svc/document-store';
import type { Checkpoint } from '@svc/event-store';
import { storeWithGroups } from '../testing/groups.ts';

const { system, run, make, all, end, remove } = storeWithGroups();
afterEach(end);
afterAll(remove);

describe('release 0.1.0, which had one relay for all groups', () => {
  const { checkpoints } = system.subscribing;
  const known = system.documents.collection<Doc & { until: string }>('consumer_groups');
  const nameOf = (group: string): string => `publishing.${group}.${topics.customer}`;
  const at = (_id: string, position: bigint): Checkpoint => ({ _id, version: Number(position) + 1, position: `${position}` });
  /** Stores what it left: its relay at the end of the store, and these groups, of which one that is behind read on from `done` up to `until`. */
  async function left(groups: Record<string, { done?: bigint; until: bigint }>): Promise<void> {
    for await (const { _id } of checkpoints.find({})) await checkpoints.write([{ delete: _id }]);
    await checkpoints.insert(at('publishing', await system.store.head()));
    for (const [group, { done, until }] of Object.entries(groups)) {
      await known.insert({ _id: `${group} ${topics.customer}`, version: 1, until: `${until}` });
      if (done !== undefined) await checkpoints.insert(at(nameOf(group), done));
    }
  }

  test('and did not store which there were: they receive nothing twice; a later one receives everything', async () => {
    await make(3);
    const before = (await all()).length;
    await left({});
    const second = run(['kept', 'kept too']);
    await make(1);
    await Promise.all([second.until('kept', 2), second.until('kept too', 2)]);
    await second.stop();
    const third = run(['kept', 'last of all']);
    await third.until('last of all', before + 2);
    expect(third.distinct('kept')).toEqual([]);
    await third.stop();
  });

  test('and stored what groups have yet to receive: each receives that and nothing twice; a new one receives everything', async () => {
    const [before, at] = [(await all()).length, await system.store.head()];
    await make(2);
    const head = await system.store.head();
    await left({ fed: { until: 0n }, 'caught up': { done: at, until: at }, lagging: { done: at, until: head }, anew: { until: head } });
    const next = run(['fed', 'caught up', 'lagging', 'anew', 'new']);
    await Promise.all([next.until('lagging', 4), next.until('anew', before + 4), next.until('new', before + 4)]);
    await make(1);
    const expected = { fed: 2, 'caught up': 2, lagging: 6, anew: before + 6, new: before + 6 };
    await Promise.all(Object.entries(expected).map(([group, count]) => next.until(group, count)));
    await next.stop();
  });
});
