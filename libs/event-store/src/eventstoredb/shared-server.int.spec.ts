import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { startEmulator, type Emulator } from '@svc/eventstoredb-emulator';
import { createIds, prefixed, systemClock, toUuid, type NewEvent } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import type { Batch } from '../port.ts';
import { openEventStoreDb } from './open.ts';

describe('EventStoreDB adapter on a shared server', () => {
  const ids = createIds(systemClock);
  let folder: string;
  let emulator: Emulator;
  let client: EventStoreDBClient;
  let opened: ReturnType<typeof openEventStoreDb>[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'eventstoredb-'));
    emulator = await startEmulator({ file: join(folder, 'events.log') });
    client = EventStoreDBClient.connectionString(emulator.url);
    opened = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((each) => each.close()));
    await client.dispose();
    await emulator.close();
    await rm(folder, { recursive: true });
  });

  function open(namespace: string) {
    const adapter = openEventStoreDb({ url: emulator.url, namespace, clock: systemClock, logger: { warn: () => undefined } });
    opened.push(adapter);
    const batches: Batch[] = [];
    adapter.store.subscribe('start', async (batch) => void batches.push(batch));
    return { ...adapter, batches, got: () => batches.flatMap(({ events }) => events) };
  }
  const event = (data: object = {}): NewEvent => ({
    id: ids.next(),
    type: 'InvoiceCreated',
    data,
    metadata: { v: 1, account: 'acct_1', env: 'test', command_id: ids.next() },
  });
  const newStream = (): string => `invoice-test.acct_1.${prefixed('inv', ids.next())}`;

  test('other clients read an event as JSON, under its id as a UUID', async () => {
    const { store } = open('shop');
    const stream = newStream();
    const first = event({ total: '12.30', note: 'ë' });
    await store.append(stream, 'none', [first]);
    const found = [];
    for await (const { event: stored } of client.readStream(`shop_${stream}`)) found.push(stored);
    expect(found).toEqual([
      expect.objectContaining({
        id: toUuid(first.id),
        type: 'InvoiceCreated',
        isJson: true,
        data: first.data,
        metadata: first.metadata,
        revision: 0n,
      }),
    ]);
  });

  test("systems of other namespaces do not see each other's streams", async () => {
    const [one, two, bare] = [open('one'), open('two'), open('')];
    const stream = newStream();
    for (const each of [one, two, bare]) await each.store.append(stream, 'none', [event()]);
    for (const each of [one, two, bare]) await until(() => each.got().length > 0);
    const head = await one.store.head();
    for (const each of [one, two, bare]) {
      await until(() => (each.batches.at(-1)?.position ?? 0n) >= head);
      expect(each.got()).toEqual(await each.store.read(stream));
      expect(each.got()).toHaveLength(1);
    }
  });

  test("a subscription skips others' events, of any form, up to the head", async () => {
    const { store, batches, got } = open('shop');
    await store.append(newStream(), 'none', [event()]);
    await until(() => got().length === 1);
    for (let n = 0; n < 300; n += 1)
      await client.appendToStream('camera-1', binaryEvent({ type: 'Frame', data: Uint8Array.of(0xff, n % 256) }));
    const head = await store.head();
    await until(() => (batches.at(-1)?.position ?? 0n) >= head);
    expect(batches.at(-1)).toEqual({ events: [], position: head, caughtUp: true });
    expect(got()).toHaveLength(1);
    await store.append(newStream(), 'none', [event()]);
    await until(() => got().length === 2);
  });

  test('without a namespace, streams with other names are ignored, whatever they hold', async () => {
    const text = new TextEncoder().encode('no JSON');
    await client.appendToStream('user-1', binaryEvent({ type: 'Renamed', data: text, metadata: text }));
    await client.appendToStream('invoice-4711', jsonEvent({ type: 'InvoiceCreated', data: { total: 1 } }));
    const { store, batches, got } = open('');
    const own = event();
    await store.append(newStream(), 'none', [own]);
    await client.appendToStream('user-1', binaryEvent({ type: 'Renamed', data: text }));
    const head = await store.head();
    await until(() => (batches.at(-1)?.position ?? 0n) >= head);
    expect(got().map(({ id }) => id)).toEqual([own.id]);
  });

  test('a subscription that skips a long history of others reports its progress', async () => {
    for (let n = 0; n < 40; n += 1) {
      const frames = Array.from({ length: 500 }, () => binaryEvent({ type: 'Frame', data: Uint8Array.of(n) }));
      await client.appendToStream('camera-1', frames);
    }
    const { store, batches } = open('shop');
    const head = await store.head();
    await until(() => (batches.at(-1)?.position ?? 0n) >= head);
    expect(batches.filter(({ position, caughtUp }) => !caughtUp && position > 0n).length).toBeGreaterThan(0);
  });

  test('a new subscription starts at its given position, also right behind an event of another namespace', async () => {
    const { store } = open('shop');
    await client.appendToStream('camera-1', binaryEvent({ type: 'Frame', data: Uint8Array.of(1) }));
    const head = await store.head();
    const later: string[] = [];
    store.subscribe(head, async ({ events }) => void later.push(...events.map(({ id }) => id)));
    const next = event();
    await store.append(newStream(), 'none', [next]);
    await until(() => later.length > 0);
    expect(later).toEqual([next.id]);
  });
});
