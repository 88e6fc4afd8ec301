import { embeddedDocumentStore, type Collection } from '@svc/document-store';
import { createIds, FakeClock, settleTurns } from '@svc/kernel';
import { embeddedEventStore } from '../embedded/embedded-event-store.ts';
import type { EventStore } from '../port.ts';
import { temporaryEngine } from '../testing/temporary-engine.ts';
import type { Checkpoint } from './checkpoint.ts';
import { checkpointsWithin } from './within-store.ts';

describe('checkpoints within the store', () => {
  const clock = new FakeClock();
  let fixture: ReturnType<typeof temporaryEngine>;
  let store: EventStore;
  let checkpoints: Collection<Checkpoint>;
  let logged: [object, string][];
  beforeEach(() => {
    fixture = temporaryEngine();
    store = embeddedEventStore(fixture.engine, clock);
    checkpoints = embeddedDocumentStore(fixture.engine, 'svc_test').collection('checkpoints');
    logged = [];
  });
  afterEach(() => fixture.remove());

  const checkpoint = (_id: string, position: number) =>
    checkpoints.insert({ _id, version: position + 1, position: String(position) } as Checkpoint);
  async function append(count: number): Promise<void> {
    const ids = createIds(clock);
    const event = () => ({ id: ids.next(), type: 'Happened', data: {}, metadata: { v: 1, account: 'acct_1', env: 'test' as const } });
    await store.append(`invoice-test.acct_1.${ids.next()}`, 'none', Array.from({ length: count }, event));
  }
  function start(from: Pick<EventStore, 'head'> = store): { passed: boolean } {
    const started = { passed: false };
    const logger = { error: (...line: [object, string]) => void logged.push(line) };
    void checkpointsWithin({ store: from, checkpoints, clock, logger }).then(() => (started.passed = true));
    return started;
  }

  test('pass at once where none lies beyond its end, and where there are none', async () => {
    const first = start();
    await settleTurns();
    expect(first.passed).toBe(true);
    await append(3);
    await checkpoint('publishing', 3);
    const second = start();
    await settleTurns();
    expect([second.passed, logged]).toEqual([true, []]);
  });

  test('do not pass where one lies beyond its end, not even when events have reached it: they would be skipped', async () => {
    await append(3);
    await checkpoint('invoices_v3', 2);
    await checkpoint('publishing', 10);
    const started = start();
    await clock.advance(6_000);
    expect(logged).toEqual([[{ subscription: 'publishing', checkpoint: '10', head: '3' }, expect.stringContaining('deploy/backup.md')]]);
    await append(12);
    await clock.advance(60_000);
    expect([started.passed, logged.length]).toEqual([false, 2]);
  });

  test('wait some seconds for a store whose node is behind', async () => {
    await checkpoint('publishing', 10);
    let head = 7n;
    const started = start({ head: async () => head });
    await clock.advance(3_000);
    expect(started.passed).toBe(false);
    head = 10n;
    await clock.advance(1_000);
    expect([started.passed, logged]).toEqual([true, []]);
  });
});
