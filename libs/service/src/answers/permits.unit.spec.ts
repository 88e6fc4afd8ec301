import { FakeClock } from '@svc/kernel';
import { createPermits, type Permit, type PermitLimits } from './permits.ts';

const limits: PermitLimits = { perAccount: 2, inAll: 3, waitingPerAccount: 300, waitingInAll: 800, waitMs: 10_000 };
/** That each caller holds while it waits. */
const BYTES = 100;

describe('permits', () => {
  let clock: FakeClock;
  let take: (account: string, name: string, bytes?: number) => void;
  let outcomes: string[];
  let permits: Map<string, Permit>;
  const open = (given: Partial<PermitLimits> = {}): void => {
    clock = new FakeClock();
    outcomes = [];
    permits = new Map();
    const all = createPermits({ ...limits, ...given }, clock);
    take = (account, name, bytes = BYTES) =>
      void all.take(account, bytes).then(
        (permit) => {
          permits.set(name, permit);
          outcomes.push(name);
        },
        (error: { code: string; retryAfter: number }) => outcomes.push(`${name}: ${error.code} ${error.retryAfter}`),
      );
  };
  beforeEach(() => open());
  const release = async (name: string): Promise<void> => {
    permits.get(name)?.release();
    await clock.advance(0);
  };
  const takeAll = async (...names: string[]): Promise<void> => {
    for (const name of names) take(name[0] as string, name);
    await clock.advance(0);
  };
  const refused = (name: string): string => `${name}: service_unavailable 5`;

  test('one account gets its share, another the rest, in the order of their requests', async () => {
    open({ inAll: 5 });
    await takeAll('a1', 'a2', 'a3', 'b1', 'b2');
    expect(outcomes).toEqual(['a1', 'a2', 'b1']);
    await release('a1');
    expect(outcomes.slice(3)).toEqual(['a3']); // b was served last
    await release('a2');
    expect(outcomes.slice(4)).toEqual(['b2']);
  });

  test('accounts that wait are served in turn, however many callers each has', async () => {
    await takeAll('x1', 'y1', 'z1', 'a1', 'a2', 'a3', 'b1', 'c1');
    expect(outcomes).toEqual(['x1', 'y1', 'z1']);
    for (const name of ['x1', 'y1', 'z1']) await release(name);
    expect(outcomes.slice(3)).toEqual(['a1', 'b1', 'c1']);
    for (const name of ['a1', 'b1', 'c1']) await release(name);
    expect(outcomes.slice(6)).toEqual(['a2', 'a3']);
  });

  test('the last permits are reserved for accounts without one', async () => {
    open({ perAccount: 4, inAll: 32, waitingInAll: 25_600, waitingPerAccount: 3_200 });
    for (const account of 'abcdefgh') await takeAll(...[1, 2, 3, 4].map((n) => `${account}${n}`));
    expect(outcomes).toHaveLength(28);
    for (const account of 'abcdefgh') expect(outcomes).toContain(`${account}1`);
    await takeAll('i1', 'j1', 'k1', 'l1', 'm1');
    expect(outcomes.slice(28)).toEqual(['i1', 'j1', 'k1', 'l1']);
    await release('a1');
    expect(outcomes.slice(32)).toEqual(['m1']);
  });

  test('a caller that waits too long, or comes when too many wait, gets service_unavailable and leaves the queue', async () => {
    await takeAll('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2', 'b3', 'b4', 'b5');
    expect(outcomes.toSorted()).toEqual(['a1', 'a2', refused('a6'), 'b1', refused('b5')]);
    await clock.advance(9_999);
    expect(outcomes).toHaveLength(5);
    await clock.advance(1);
    expect(outcomes.slice(5).sort()).toEqual(['a3', 'a4', 'a5', 'b2', 'b3', 'b4'].map(refused));
    await release('a1');
    await takeAll('c2');
    expect([outcomes.at(-1), clock.nextAt()]).toEqual(['c2', undefined]);
  });

  test('an account of which none waits may always wait', async () => {
    open({ waitingInAll: 500 });
    await takeAll('a1', 'a2', 'b1', 'a3', 'a4', 'a5', 'b2', 'b3', 'c1', 'c2');
    expect(outcomes).toEqual(['a1', 'a2', 'b1', refused('b3'), refused('c2')]);
    await release('a1');
    expect(outcomes.at(-1)).toBe('c1');
  });

  test('what waits is bounded by its bytes: many that hold little, or a few that hold much', async () => {
    await takeAll('a1', 'a2');
    for (let n = 0; n < 300; n += 1) take('a', `small ${n}`, 1);
    take('a', 'one more', 1);
    take('b', 'b1');
    take('b', 'large', 299);
    take('b', 'b2', 2);
    await clock.advance(0);
    expect(outcomes).toEqual(['a1', 'a2', refused('one more'), 'b1', refused('b2')]);
    take('b', 'b3', 1);
    take('b', 'b4', 1);
    await clock.advance(0);
    expect(outcomes.slice(5)).toEqual([refused('b4')]);
  });

  test('releasing a permit twice counts once', async () => {
    await takeAll('a1', 'a2', 'a3', 'a4');
    await release('a1');
    await release('a1');
    expect(outcomes).toEqual(['a1', 'a2', 'a3']);
  });

  describe('while an account without a permit waits, slow readers are ended', () => {
    let ended: string[];
    const readBy = (behind: Record<string, number>): void => {
      for (const [name, ms] of Object.entries(behind)) {
        const permit = permits.get(name) as Permit;
        const end = (): void => {
          ended.push(name);
          permit.release();
        };
        permit.reader = { behindMs: () => ms, end };
      }
    };
    beforeEach(() => (ended = []));

    test('first those of the account with the most permits, the slowest first, and no more than needed', async () => {
      open({ inAll: 4 });
      await takeAll('a1', 'a2', 'b1', 'c1');
      readBy({ a1: 1, a2: 2, b1: 900, c1: 800 });
      await takeAll('d1', 'e1');
      await clock.advance(1_000);
      expect([ended, outcomes.slice(4)]).toEqual([['a2'], ['d1']]);
      await clock.advance(1_000);
      expect([ended.slice(1), outcomes.slice(5)]).toEqual([['b1'], ['e1']]);
      await clock.advance(20_000);
      expect([ended.length, clock.nextAt()]).toEqual([2, undefined]);
    });

    test('but not readers that keep up, nor any for an account that has a permit', async () => {
      await takeAll('a1', 'a2', 'b1', 'b2');
      readBy({ a1: 50_000, a2: 50_000 });
      await clock.advance(10_000);
      expect([ended, outcomes.slice(3)]).toEqual([[], [refused('b2')]]);
      readBy({ a1: 0, a2: -1 });
      await takeAll('c1');
      await clock.advance(10_000);
      expect([ended, outcomes.slice(4)]).toEqual([[], [refused('c1')]]);
    });
  });
});
