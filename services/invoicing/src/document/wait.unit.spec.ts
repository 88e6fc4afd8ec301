import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { DomainError, FakeClock, settleTurns } from '@svc/kernel';
import { createLogger } from '@svc/service';
import { createOutcomeWaits, type Seen } from './wait.ts';

interface Shown {
  revision: number;
  status: 'pending' | 'registered';
}

interface Asked {
  account?: string;
  stream?: string;
  bytes?: number;
  look?: () => void;
}

/** A request that waits for 20 s; `answer`: what it is answered, once it is. */
interface Request {
  answer?: Shown | undefined;
  isAnswered: boolean;
  leave(): void;
}

/** Documents in a store that counts reads, in a process in which requests wait for them. */
function openProcess() {
  const clock = new FakeClock();
  const documents = new Map<string, Shown>();
  const stopping = new AbortController();
  const counts = { watches: 0, ended: 0 };
  const reads: string[] = [];
  let report = (_stream: string, _revision: bigint): void => undefined;
  const waits = createOutcomeWaits({
    ...{ clock, stopping: stopping.signal, logger: createLogger({ level: 'silent', service: 'test' }) },
    store: {
      watch(appended) {
        counts.watches += 1;
        report = appended;
        return { begun: Promise.resolve(), stop: () => void (counts.ended += 1) };
      },
    },
  });
  const shown = (stream: string): Shown => documents.get(stream) ?? { revision: 1, status: 'pending' };

  return {
    ...{ clock, stopping, counts, reads },
    /** `look`: runs at each read that this request makes. */
    wait({ account = 'a', stream = 's', bytes = 100, look = () => undefined }: Asked = {}): Request {
      const response = Object.assign(new EventEmitter(), { destroyed: false });
      const request: Request = {
        isAnswered: false,
        leave: () => void (Object.assign(response, { destroyed: true }), response.emit('close')),
      };
      const waited = waits.wait<Shown>({
        ...{ stream, account, seconds: 20, first: shown(stream), response: response as unknown as ServerResponse },
        isSettled: ({ status }) => status === 'registered',
        async look(): Promise<Seen<Shown>> {
          reads.push(stream);
          look();
          const resource = shown(stream);
          return { resource, revision: BigInt(resource.revision), bytes };
        },
      });
      void waited.then((answer) => Object.assign(request, { answer, isAnswered: true }));
      return request;
    },
    /** Another request, or the authority, changes a document. `isReported`: the store says so. */
    change(stream: string, status: Shown['status'], { isReported = true } = {}): void {
      const revision = shown(stream).revision + 1;
      documents.set(stream, { revision, status });
      if (isReported) report(stream, BigInt(revision));
    },
  };
}

const accounts = Array.from({ length: 30 }, (_, n) => `account ${n}`);

test.each([1, 100, 700])('%d waiters share one watch; a document is read when they come, and once when it has changed', async (count) => {
  const { wait, change, reads, counts } = openProcess();
  const waiters = Array.from({ length: count }, (_, n) => wait({ account: accounts[n % 30] as string, stream: `s${n}` }));
  await settleTurns();
  expect([counts.watches, reads.length]).toEqual([1, count]);
  change('s0', 'registered');
  change('not waited for', 'registered');
  await settleTurns();
  expect(reads.slice(count)).toEqual(['s0']);
  expect(waiters.filter(({ isAnswered }) => isAnswered)).toEqual([waiters[0]]);
  expect(waiters[0]?.answer).toEqual({ revision: 2, status: 'registered' });
});

test('several waiters of one document read it once, and a report of what was read costs nothing', async () => {
  const { wait, change, reads } = openProcess();
  const waiters = Array.from({ length: 50 }, () => wait());
  await settleTurns();
  const before = reads.length;
  expect(before).toBeLessThanOrEqual(2); // again for those who came during the first read
  change('s', 'pending', { isReported: false });
  const late = wait();
  await settleTurns();
  expect(reads.length).toBe(before + 1);
  change('s', 'registered');
  await settleTurns();
  expect(reads.length).toBe(before + 2);
  expect([...waiters, late].map(({ answer }) => answer?.status)).toEqual(Array(51).fill('registered'));
});

test('without a report a document is read every 2 s, 100 at once at most; the wait ends after its time', async () => {
  const { wait, change, reads, clock, counts } = openProcess();
  const first = wait({ stream: 'first' });
  await settleTurns();
  await clock.advance(6_000);
  expect(reads).toHaveLength(1 + 3);
  change('first', 'registered', { isReported: false });
  await clock.advance(2_000);
  expect(first.answer).toEqual({ revision: 2, status: 'registered' });
  reads.length = 0;
  const others = Array.from({ length: 300 }, (_, n) => wait({ account: accounts[n % 30] as string, stream: `s${n}` }));
  await clock.advance(6_000);
  expect(reads.length).toBe(300 + 3 * 100);
  expect(new Set(reads.slice(300)).size).toBe(300);
  await clock.advance(14_000);
  expect(others.every(({ answer }) => answer?.status === 'pending')).toBe(true);
  expect(counts).toEqual({ watches: 2, ended: 2 });
});

test('of one account 100 wait; the next is not kept waiting, until one has gone', async () => {
  const { wait } = openProcess();
  const waiters = Array.from({ length: 100 }, (_, n) => wait({ stream: `s${n}` }));
  const refused = wait({ stream: 'more' });
  await settleTurns();
  expect([refused.isAnswered, refused.answer, waiters.some(({ isAnswered }) => isAnswered)]).toEqual([true, undefined, false]);
  waiters[7]?.leave();
  await settleTurns();
  expect(waiters[7]).toMatchObject({ isAnswered: true, answer: { status: 'pending' } });
  const next = wait({ stream: 'next' });
  await settleTurns();
  expect(next.isAnswered).toBe(false);
});

test('in a process 1,000 wait at most: twenty accounts at once have the same share, and another one has a place', async () => {
  const { wait } = openProcess();
  const byAccount = accounts.slice(0, 20).map(() => 0);
  for (let n = 0; n < 100; n += 1)
    for (const [at, account] of accounts.slice(0, 20).entries()) {
      const request = wait({ account, stream: `${account} ${n}` });
      await Promise.resolve();
      await Promise.resolve();
      if (!request.isAnswered) byAccount[at] = (byAccount[at] as number) + 1;
    }
  expect(byAccount.reduce((sum, own) => sum + own, 0)).toBeLessThan(1_000);
  expect(Math.min(...byAccount)).toBeGreaterThanOrEqual(42); // a till with 100 receipts a minute
  const late = wait({ account: 'late' });
  await settleTurns();
  expect(late.isAnswered).toBe(false);
});

test('waits for large documents are bounded in bytes, by account', async () => {
  const { wait } = openProcess();
  const large = Array.from({ length: 100 }, (_, n) => wait({ stream: `s${n}`, bytes: 600_000 }));
  const other = wait({ account: 'b', stream: 't', bytes: 600_000 });
  await settleTurns();
  expect(large.filter(({ isAnswered }) => !isAnswered).length).toBe(13);
  expect(large.filter(({ isAnswered, answer }) => isAnswered && answer === undefined).length).toBe(87);
  expect(other.isAnswered).toBe(false);
});

test('a process that stops answers those who wait as they were last seen, and nobody waits after', async () => {
  const { wait, stopping, counts } = openProcess();
  const waiters = Array.from({ length: 10 }, (_, n) => wait({ stream: `s${n % 5}` }));
  await settleTurns();
  stopping.abort();
  await settleTurns();
  expect(waiters.map(({ answer }) => answer?.status)).toEqual(Array(10).fill('pending'));
  expect(counts).toEqual({ watches: 1, ended: 1 });
  const late = wait();
  await settleTurns();
  expect([late.isAnswered, late.answer]).toEqual([true, undefined]);
});

test('a wait goes on when a read fails, and by another waiter’s read when the caller that reads goes away', async () => {
  const { wait, change, reads, clock } = openProcess();
  const away = new DomainError('service_unavailable', 'The caller has gone.');
  let isAway = true;
  const first: Request = wait({
    look: () => {
      if (!isAway) return;
      first.leave();
      throw away;
    },
  });
  const second = wait();
  await settleTurns();
  expect([first.isAnswered, second.isAnswered, reads.length]).toEqual([true, false, 2]);
  const third = wait({
    stream: 't',
    look: () => {
      if (isAway) throw new Error('a defect');
    },
  });
  await clock.advance(2_000);
  isAway = false;
  change('t', 'registered');
  change('s', 'registered');
  await settleTurns();
  expect([second.answer?.status, third.answer?.status]).toEqual(['registered', 'registered']);
});
