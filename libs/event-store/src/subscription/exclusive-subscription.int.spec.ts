import { embeddedDocumentStore, type Collection, type Lease } from '@svc/document-store';
import { createIds, FakeClock, settleTurns } from '@svc/kernel';
import type { Checkpoint } from './checkpoint.ts';
import { embeddedEventStore } from '../embedded/embedded-event-store.ts';
import type { Subscription } from './subscription.ts';
import { startExclusiveSubscription } from './exclusive-subscription.ts';
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
  let replicas: Subscription[];

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

  function start(holder: string): Subscription {
    const replica = startExclusiveSubscription({
      name: 'projection',
      store,
      checkpoints,
      leases,
      holder,
      clock,
      logger: { warn: () => undefined, error: () => undefined },
      saveWithin: 0,
      handle: async (events) => void handled.push(...events.map(({ position }) => `${holder} ${position}`)),
    });
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

  test('a list of the waiting replica waits for what was stored before it, at most 5 s', async () => {
    start('a');
    await settleTurns();
    const b = start('b');
    const barrier = createReadBarrier({ store, subscription: b, clock });
    await append();
    const fresh = barrier().then(() => handled.length);
    await clock.advance(100);
    expect(await fresh).toBe(1);

    const never = createReadBarrier({ store: { head: async () => 99n }, subscription: b, clock })().catch((error: unknown) => error);
    await clock.advance(5_100);
    expect(await never).toMatchObject({ code: 'service_unavailable', retryAfter: 1 });
  });
});
