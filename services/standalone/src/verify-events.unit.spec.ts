import type { Batch } from '@svc/event-store/port';
import type { Recorded } from '@svc/kernel';
import { Problems, verifyEvents } from './verify-events.ts';

const stream = 'chain-test.acct_1.es.I1.B1';
const link = (position: number, hash: string, previous: string | null, operation = 'register') => ({
  ...{ operation, position },
  hash,
  previous: previous === null ? null : { hash: previous },
});

async function verified(links: object[]) {
  const events = links.map(
    (data, n) => ({ stream, revision: BigInt(n), type: 'RecordChained', data, metadata: {} }) as unknown as Recorded,
  );
  const raw = {
    subscribe(_from: unknown, handle: (batch: Batch) => Promise<void>) {
      void handle({ events, position: BigInt(events.length), caughtUp: true });
      return async () => undefined;
    },
  };
  const problems = new Problems();
  const found = await verifyEvents({ raw, opened: { read: async () => [] }, unreadable: new Promise(() => undefined) }, problems);
  return { links: found.links, problems: problems.named };
}

test('links that follow each other are a chain', async () => {
  expect(await verified([link(1, 'a', null), link(2, 'b', 'a')])).toEqual({ links: 2, problems: [] });
});

test('a chain that an operator began anew after a restore is whole', async () => {
  const restart = link(2, '', null, 'restart');
  expect(await verified([link(1, 'a', null), restart, link(3, 'c', null), link(4, 'd', 'c')])).toEqual({ links: 4, problems: [] });
});

test('behind a restart a link that names an earlier record is named', async () => {
  const { problems } = await verified([link(1, 'a', null), link(2, '', null, 'restart'), link(3, 'c', 'a')]);
  expect(problems).toEqual([`${stream}: link 3 does not follow link 2`]);
});

test.each([
  ['another hash', [link(1, 'a', null), link(2, 'b', 'x')]],
  ['a position twice', [link(1, 'a', null), link(1, 'b', 'a')]],
  ['no beginning', [link(1, 'a', null), link(2, 'b', null)]],
])('a link with %s is named', async (_what, links) => {
  expect((await verified(links)).problems).toEqual([
    expect.stringMatching(/^chain-test\.acct_1\.es\.I1\.B1: link \d does not follow link 1$/),
  ]);
});
