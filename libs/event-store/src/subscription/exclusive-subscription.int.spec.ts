import { embeddedDocumentStore, type Collection, type Lease } from '@svc/document-store';
import { createIds, FakeClock, settleTurns, type Recorded } from '@svc/kernel';
import type { Checkpoint } from './checkpoint.ts';
import { embeddedEventStore } from '../embedded/embedded-event-store.ts';
import type { Subscription } from './subscription.ts';
import { startExclusiveSubscription, startExclusiveSubscriptions } from './exclusive-subscription.ts';
import type { EventStore } from '../port.ts';
import { createReadBarrier } from './read-barrier.ts';
import { temporaryEngine } from '../testing/temporary-engine.ts';

describe('two replicas with one subscription', () => {
  const clock = new FakeClock();
  let fixture: ReturnType<typeof temporaryEngine>;
  let store: EventStore;
  let checkpoints: Collection<Checkpoint>;
  let leases: Collection<Lease>;
  let handled: string[];
  let replicas: Pick<Subscription, 'stop'>[];

  beforeEach(() => {
    fixture = temporaryEngine();
    store = embeddedEventStore(fixture.engine, clock);
    const documents = embeddedDocumentStore(fixture.engine, 'svc_test');
    checkpoints = documents.collection('checkpoints');
    leases = documents.collection('leases');
    [handled, replicas] = [[], []];
  });
  afterEach(async () => {
    const stopped = Promise.all(replicas.map((replica) => replica.stop()));
    await clock.advance(5_000);
    await stopped;
    fixture.remove();
  });

  const contextOf = (holder: string) => ({
    ...{ store, checkpoints, leases, holder, clock, saveWithin: 0 },
    logger: { warn: () => undefined, error: () => undefined },
  });
  const handleAs = (by: string) => async (events: Recorded[]) => void handled.push(...events.map(({ position }) => `${by} ${position}`));

  function start(holder: string): Subscription {
    const replica = startExclusiveSubscription({ ...contextOf(holder), name: 'projection', handle: handleAs(holder) });
    replicas.push(replica);
    return replica;
  }

  const ids = createIds(clock);
  let streams = 0;
  const append = () =>
    store.append(`invoice-test.acct_1.${(streams += 1)}`, 'none', [
      { id: ids.next(), type: 'Happened', data: {}, metadata: { v: 1, account: 'acct_1', env: 'test' } },
    ]);

  test('one runs it, the other sees its position', async () => {
    const a = start('a');
    await settleTurns();
    const b = start('b');
    await append();
    const waits = Promise.all([a, b].map((replica) => replica.waitFor(1n, 1_000)));
    await clock.advance(1_000);
    expect(await waits).toEqual([true, true]);
    expect(handled).toEqual(['a 1']);
    expect([a.position(), b.position()]).toEqual([1n, 1n]);
  });

  test('the other continues where the first stopped', async () => {
    const a = start('a');
    await settleTurns();
    start('b');
    await append();
    await clock.advance(100);
    const stopped = a.stop();
    await clock.advance(3_000);
    await stopped;
    await append();
    await clock.advance(1_000);
    expect(handled).toEqual(['a 1', 'b 2']);
  });

  test('a list of the waiting replica waits for what was stored before it, at most 10 s', async () => {
    start('a');
    await settleTurns();
    const b = start('b');
    const readable = (): Promise<void> => Promise.resolve();
    const { barrier } = createReadBarrier({ store, subscription: b, clock, readable });
    await append();
    const fresh = barrier().then(() => handled.length);
    await clock.advance(100);
    expect(await fresh).toBe(1);

    const never = createReadBarrier({ store: { ...store, head: async () => 99n }, subscription: b, clock, readable })
      .barrier()
      .catch((error: unknown) => error);
    await clock.advance(10_100);
    expect(await never).toMatchObject({ code: 'service_unavailable', retryAfter: 1 });
  });

  test('several run by one lease, each at its own position; another replica continues each where it stopped', async () => {
    const open = Promise.withResolvers<void>();
    const startBoth = (holder: string, slow: () => Promise<void>) => {
      const replica = startExclusiveSubscriptions({ ...contextOf(holder), name: 'both' }, [
        { name: 'both.quick', handle: handleAs(`${holder} quick`) },
        { name: 'both.slow', handle: (events) => slow().then(() => handleAs(`${holder} slow`)(events)) },
      ]);
      replicas.push(replica);
      return replica;
    };
    const a = startBoth('a', () => open.promise);
    await settleTurns();
    const b = startBoth('b', async () => undefined);
    await append();
    await append();
    await clock.advance(1_000);
    expect(a.subscriptions.map((one) => one.position())).toEqual([2n, 0n]);
    expect((await Array.fromAsync(leases.find({}))).map(({ _id }) => _id)).toEqual(['both']);
    const stopped = a.stop();
    open.resolve();
    await clock.advance(3_000);
    await stopped;
    await append();
    await clock.advance(1_000);
    expect(b.subscriptions.map((one) => one.position())).toEqual([3n, 3n]);
    const quick = handled.filter((one) => one.includes('quick'));
    expect(quick).toEqual(['a quick 1', 'a quick 2', 'b quick 3']);
    expect(handled.filter((one) => one.includes('slow')).at(-1)).toBe('b slow 3');
  });

  test('one in the middle of a batch does not keep the others from going on when the lease was lost and is taken again', async () => {
    const open = Promise.withResolvers<void>();
    const { subscriptions, stop } = startExclusiveSubscriptions({ ...contextOf('a'), name: 'both' }, [
      { name: 'both.quick', handle: handleAs('quick') },
      { name: 'both.slow', handle: (events) => open.promise.then(() => handleAs('slow')(events)) },
    ]);
    replicas.push({ stop });
    await settleTurns();
    await append();
    await clock.advance(100);
    const [lease] = await Array.fromAsync(leases.find({}));
    await leases.write([{ put: { _id: 'both', version: (lease?.version ?? 0) + 1, holder: 'b', until: clock.now() + 8_000 } }]);
    await clock.advance(20_000);
    await append();
    await clock.advance(1_000);
    expect(handled).toEqual(['quick 1', 'quick 2']);
    open.resolve();
    await clock.advance(1_000);
    expect(subscriptions.map((one) => one.position())).toEqual([2n, 2n]);
  });
});
