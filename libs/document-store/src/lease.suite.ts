import { FakeClock } from '@svc/kernel';
import type { OpenDocumentStore } from './document-store.suite.ts';
import { holdLease, type HeldLease, type Lease } from './lease.ts';
import type { Collection } from './port.ts';
import { watched } from './testing/under-way.ts';

/** A job that runs until its lease is lost, and the times at which it started and ended. */
function job(clock: FakeClock) {
  const runs: { from: number; to?: number }[] = [];
  const run = async (lost: AbortSignal): Promise<void> => {
    const current: { from: number; to?: number } = { from: clock.now() };
    runs.push(current);
    await clock.sleep(Infinity, lost);
    current.to = clock.now();
  };
  return { runs, run };
}

/** The tests of a lease on the document store of any adapter. */
export function leaseSuite(name: string, open: () => Promise<OpenDocumentStore>): void {
  describe(`a lease in the document store: ${name}`, () => {
    let fixture: OpenDocumentStore;
    let clock: FakeClock;
    let settled: () => Promise<void>;
    const advance = (ms: number): Promise<void> => clock.advance(ms, settled);
    let leases: Collection<Lease>;
    const held: HeldLease[] = [];

    beforeEach(async () => {
      fixture = await open();
      clock = new FakeClock();
      const seen = watched(fixture.documents);
      settled = seen.settled;
      leases = seen.documents.collection<Lease>('leases');
    });
    afterEach(async () => {
      await Promise.all(held.splice(0).map((lease) => lease.stop()));
      await fixture.close();
    });

    const compete = (holder: string, run: (lost: AbortSignal) => Promise<void>, from = leases): HeldLease => {
      const lease = holdLease({ leases: from, name: 'relay', holder, clock, run });
      held.push(lease);
      return lease;
    };
    /** A process that can be cut off from the leases. */
    const cutOff = () => {
      let isCut = false;
      const through = <T>(call: () => Promise<T>): Promise<T> => (isCut ? Promise.reject(new Error('no connection')) : call());
      const collection: Collection<Lease> = {
        ...leases,
        get: (id) => through(() => leases.get(id)),
        insert: (doc) => through(() => leases.insert(doc)),
        claim: (...args) => through(() => leases.claim(...args)),
      };
      return { collection, cut: (now: boolean) => (isCut = now) };
    };

    test('has one holder among many for as long as it is renewed', async () => {
      const jobs = ['a', 'b', 'c'].map((holder) => {
        const { runs, run } = job(clock);
        return { runs, lease: compete(holder, run) };
      });
      await advance(120_000);
      expect(jobs.map(({ runs }) => runs.length).sort()).toEqual([0, 0, 1]);
      expect(jobs.filter(({ lease }) => lease.held())).toHaveLength(1);
    });

    test('passes on when its holder dies, soon after it has run out and not before', async () => {
      await leases.insert({ _id: 'relay', version: 1, holder: 'dead', until: clock.now() + 4_000 });
      const died = clock.now();
      const { runs, run } = job(clock);
      compete('b', run);
      await advance(3_999);
      expect(runs).toEqual([]);
      await advance(1_001);
      expect(runs).toHaveLength(1);
      expect(runs[0]?.from).toBeGreaterThanOrEqual(died + 4_000);
    });

    test.each([3_600_000, 20 * 86_400_000])(
      'passes on as soon when it was held by a clock that was %d ms ahead, and not while it is renewed by one',
      async (ahead) => {
        const renew = (): Promise<unknown> => leases.claim({ _id: 'relay' }, { set: { until: clock.now() + ahead + 4_000 } });
        await leases.insert({ _id: 'relay', version: 1, holder: 'ahead', until: clock.now() + ahead + 4_000 });
        const { runs, run } = job(clock);
        compete('b', run);
        for (let seconds = 0; seconds < 20; seconds += 1) {
          await renew();
          await advance(1_000);
        }
        await advance(2_000);
        expect(runs).toEqual([]);
        await advance(2_000);
        expect(runs).toHaveLength(1);
      },
    );

    test('is renewed with all the others of its process, so that a store of one commit makes one', async () => {
      const renewals: number[] = [];
      const seen: Collection<Lease> = {
        ...leases,
        claim(...args) {
          renewals.push(clock.now());
          return leases.claim(...args);
        },
      };
      for (const name of ['relay', 'invoices', 'receipts']) {
        held.push(holdLease({ leases: seen, name, holder: 'a', clock, run: (lost) => clock.sleep(Infinity, lost) }));
        await advance(130);
      }
      await advance(10_000);
      expect(renewals).toHaveLength(30);
      expect(new Set(renewals).size).toBe(10);
    });

    test('passes on at once when it is released', async () => {
      const [first, second] = [job(clock), job(clock)];
      const lease = compete('a', first.run);
      await advance(1);
      compete('b', second.run);
      await advance(10_000);
      expect(second.runs).toEqual([]);
      await lease.stop();
      expect(lease.held()).toBe(false);
      expect(first.runs[0]?.to).toBe(clock.now());
      await advance(1_000);
      expect(second.runs).toHaveLength(1);
    });

    test('is lost by a holder that cannot renew it before another can have it, and can be won again', async () => {
      const { collection, cut } = cutOff();
      const [first, second] = [job(clock), job(clock)];
      const lease = compete('a', first.run, collection);
      await advance(1);
      compete('b', second.run);
      await advance(20_000);
      cut(true);
      await advance(30_000);
      expect(lease.held()).toBe(false);
      expect(second.runs).toHaveLength(1);
      expect(first.runs[0]?.to).toBeLessThanOrEqual(second.runs[0]?.from ?? 0);
      cut(false);
      await held[1]?.stop();
      await advance(1_000);
      expect(first.runs).toHaveLength(2);
      expect(lease.held()).toBe(true);
    });

    test('is lost by a holder that cannot renew it before another process with a fast clock has it', async () => {
      const ahead = new FakeClock(clock.now() + 1_000);
      const { collection, cut } = cutOff();
      const [first, second] = [job(clock), job(clock)];
      compete('a', first.run, collection);
      await advance(1);
      held.push(holdLease({ leases, name: 'relay', holder: 'b', clock: ahead, run: second.run }));
      cut(true);
      for (let ms = 0; ms < 20_000; ms += 100) {
        await advance(100);
        await ahead.advance(100, settled);
      }
      expect(second.runs).toHaveLength(1);
      expect(first.runs[0]?.to).toBeLessThanOrEqual(second.runs[0]?.from ?? 0);
    });

    test('is kept when a renewal succeeded without an answer, and is released afterwards', async () => {
      let isDeaf = false;
      const claim: Collection<Lease>['claim'] = async (...args) => {
        const done = await leases.claim(...args);
        if (isDeaf) throw new Error('no answer');
        return done;
      };
      const [first, second] = [job(clock), job(clock)];
      const lease = compete('a', first.run, { ...leases, claim });
      await advance(4_000);
      isDeaf = true;
      await advance(1_000);
      isDeaf = false;
      await advance(30_000);
      expect(lease.held()).toBe(true);
      expect(first.runs).toHaveLength(1);
      isDeaf = true;
      await advance(1_100);
      isDeaf = false;
      await lease.stop();
      compete('b', second.run);
      await advance(1);
      expect(second.runs).toHaveLength(1);
    });

    test('survives a short interruption of the connection', async () => {
      const { collection, cut } = cutOff();
      const { runs, run } = job(clock);
      const lease = compete('a', run, collection);
      await advance(6_000);
      cut(true);
      await advance(1_400);
      cut(false);
      await advance(60_000);
      expect(lease.held()).toBe(true);
      expect(runs).toHaveLength(1);
    });

    test('is released and won again when the job throws', async () => {
      let runs = 0;
      const lease = compete('a', async (lost) => {
        runs += 1;
        if (runs < 3) throw new Error('not now');
        await clock.sleep(Infinity, lost);
      });
      await advance(10_000);
      expect(runs).toBe(3);
      expect(lease.held()).toBe(true);
    });
  });
}
