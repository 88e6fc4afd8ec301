import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { SpanKind } from '@opentelemetry/api';
import { keepSpans } from '@svc/document-store/testing/traced';
import { startEmulator, type Emulator } from '@svc/eventstoredb-emulator';
import { Conflict, createIds, systemClock, type NewEvent } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { openEventStoreDb } from './open.ts';

const { inRequest, spans } = keepSpans();
const ids = createIds(systemClock);
const event = (): NewEvent => ({ id: ids.next(), type: 'Happened', data: {}, metadata: { v: 1, account: 'acct_1', env: 'test' } });
const stream = `invoice-test.acct_1.${ids.next()}`;
const logger = { warn: () => undefined };

let folder: string;
let server: Emulator;
let opened: ReturnType<typeof openEventStoreDb>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eventstoredb-'));
  server = await startEmulator({ file: join(folder, 'events.log') });
  const url = server.url.replace('esdb://', 'esdb://invoicing:p%40ss@');
  opened = openEventStoreDb({ url, namespace: 'spans', clock: systemClock, logger });
});
afterAll(async () => {
  await opened.close();
  await server.close();
  await rm(folder, { recursive: true });
});

test('each call within a request is a client span of EventStoreDB, which names the category, never the stream', async () => {
  const { store } = opened;
  await inRequest(async () => {
    await store.append(stream, 'none', [event()]);
    await store.read(stream);
    await store.tail(stream, 1);
    await store.head();
  });
  expect(spans().map(({ name, kind }) => [name, kind])).toEqual(
    ['appendToStream invoice', 'readStream invoice', 'readStream invoice', 'readAll $all'].map((name) => [name, SpanKind.CLIENT]),
  );
  const { hostname, port } = new URL(server.url.replace('esdb:', 'http:'));
  expect(spans()[0]?.attributes).toEqual({
    'db.system.name': 'eventstoredb',
    'db.operation.name': 'appendToStream',
    'db.collection.name': 'invoice',
    'db.namespace': 'spans',
    'server.address': hostname,
    'server.port': Number(port),
  });
  expect(spans().filter(({ name, attributes }) => /acct_1|p@ss|p%40ss/.test(JSON.stringify([name, attributes])))).toEqual([]);
});

test("an error is recorded: a conflict by its class, a rejection by the server's code", async () => {
  const { store } = opened;
  await expect(inRequest(() => store.append(stream, 'none', [event()]))).rejects.toBeInstanceOf(Conflict);
  server.refuse(status.PERMISSION_DENIED);
  await expect(inRequest(() => store.read(stream))).rejects.toThrow();
  server.refuse(undefined);
  expect(
    spans().map(({ attributes, status: { code } }) => [code, attributes['error.type'], attributes['db.response.status_code']]),
  ).toEqual([
    [2, 'Conflict', undefined],
    [2, '7', '7'],
  ]);
});

test('subscriptions, and calls outside a request, make none', async () => {
  const { store } = opened;
  let seen = 0;
  const stop = store.subscribe('start', async ({ events }) => {
    for (const { stream: from } of events) await store.tail(from, 1);
    seen += events.length;
  });
  await until(() => seen > 0);
  await stop();
  expect(spans()).toEqual([]);
});
