import { FakeClock } from '@svc/kernel';
import { createPermits, type PermitLimits } from './permits.ts';

const limits: PermitLimits = { perAccount: 2, inAll: 3, waitingPerAccount: 3, waitingInAll: 5, waitMs: 1_000 };

describe('permits', () => {
  let clock: FakeClock;
  let take: (account: string, name: string) => void;
  let outcomes: string[];
  let releases: Map<string, () => void>;
  beforeEach(() => {
    clock = new FakeClock();
    outcomes = [];
    releases = new Map();
    const permits = createPermits(limits, clock);
    take = (account, name) =>
      void permits.take(account).then(
        (release) => {
          releases.set(name, release);
          outcomes.push(name);
        },
        (error: { code: string; retryAfter: number }) => outcomes.push(`${name}: ${error.code} ${error.retryAfter}`),
      );
  });
  const release = async (name: string): Promise<void> => {
    releases.get(name)?.();
    await clock.advance(0);
  };
  const takeAll = async (...names: string[]): Promise<void> => {
    for (const name of names) take(name[0] as string, name);
    await clock.advance(0);
  };

  test('one account gets its share, another the rest, in the order in which they ask', async () => {
    await takeAll('a1', 'a2', 'a3', 'b1', 'b2');
    expect(outcomes).toEqual(['a1', 'a2', 'b1']);
    await release('a1');
    expect(outcomes.slice(3)).toEqual(['a3']); // b was served last
    await release('b1');
    expect(outcomes.slice(4)).toEqual(['b2']);
  });

  test('accounts that wait are served in turn, however many callers each has', async () => {
    await takeAll('x1', 'y1', 'z1', 'a1', 'a2', 'a3', 'b1', 'c1');
    expect(outcomes).toEqual(['x1', 'y1', 'z1']);
    for (const name of ['x1', 'y1', 'z1', 'a1', 'b1']) await release(name);
    expect(outcomes.slice(3)).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  test('who waits too long, or comes when too many wait, is told to come again, and holds no place', async () => {
    await takeAll('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2', 'b3', 'c1');
    expect(outcomes.toSorted()).toEqual(['a1', 'a2', 'a6: service_unavailable 5', 'b1', 'c1: service_unavailable 5']);
    await clock.advance(999);
    expect(outcomes).toHaveLength(5);
    await clock.advance(1);
    expect(outcomes.slice(5).sort()).toEqual(['a3', 'a4', 'a5', 'b2', 'b3'].map((name) => `${name}: service_unavailable 5`));
    await release('a1');
    await takeAll('c2');
    expect([outcomes.at(-1), clock.nextAt()]).toEqual(['c2', undefined]);
  });

  test('what is given back twice counts once', async () => {
    await takeAll('a1', 'a2', 'a3', 'a4');
    await release('a1');
    await release('a1');
    expect(outcomes).toEqual(['a1', 'a2', 'a3']);
  });
});
