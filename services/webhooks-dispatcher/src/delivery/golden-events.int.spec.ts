import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentTopics, topics, type PublicEvent, type Topic } from '@svc/contracts/events/envelope';
import { publicEvents } from '@svc/contracts/public-events';
import { goldenEvents } from '@svc/contracts/testing/golden';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { documentDeadLetters, EmbeddedBus, type BatchContext } from '@svc/event-bus';
import { FakeClock, parseExact, soon, textOf } from '@svc/kernel';
import type { WebhooksContext } from './context.ts';
import type { EventRow } from '../event/event.ts';
import { FanOut } from './fan-out.ts';
import { busAt, rowsOn, shopEndpoint, silent, idleWorker } from './testing/rows.ts';

const golden = goldenEvents(...Object.values(documentTopics), topics.customer);
/** Public events that no webhook is sent for. */
const silentTypes = ['invoicing.receipt-updated.v1', 'invoicing.customer-erased.v1'];

const group = 'webhooks-dispatcher';
const folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-golden-'));
const engine = Engine.open(folder, { durable: false });
const clock = new FakeClock();
const deadLetters = documentDeadLetters(embeddedDocumentStore(engine, 'svc_webhooks'));
const bus = new EmbeddedBus({ clock, logger: silent, deadLetters, head: async () => 0n });
const rows = rowsOn(engine);
const fanOut = new FanOut({ ...rows, clock, bus: busAt(100) } as unknown as WebhooksContext, idleWorker(rows));
const stored = new Map<string, EventRow>();
const topicOf = ({ type }: PublicEvent): Topic => publicEvents.get(type)?.topic as Topic;

beforeAll(async () => {
  const [{ account, env }] = golden as [PublicEvent];
  await rows.endpoints.insert({ ...shopEndpoint(), account, env });
  for (const topic of new Set(golden.map(topicOf)))
    bus.addHandler({ group, topic }, async (events: PublicEvent[], context: BatchContext) => fanOut.on(events, context), true);
  bus.listen(() => undefined);
  for (const event of golden) {
    await bus.publish(topicOf(event), [event]);
    const row = await rows.events.get(event.id); // Before its customer is erased.
    if (row) stored.set(event.id, row);
  }
});
afterAll(async () => {
  await bus.close();
  engine.close();
  rmSync(folder, { recursive: true });
});

test('no golden event of a release is a dead letter', async () => {
  expect(golden.length).toBeGreaterThanOrEqual(12);
  expect(await Array.fromAsync(deadLetters(group).find({}))).toEqual([]);
});

test.each(golden.map((event) => [event.type, event] as const))(
  '%s: the subscriber gets its resource unchanged, once',
  async (type, event) => {
    const row = stored.get(event.id);
    const deliveries = (await Array.fromAsync(rows.deliveries.find({}))).filter(({ event_id }) => event_id === event.id).length;
    if (silentTypes.includes(type)) return expect([row, deliveries]).toEqual([undefined, 0]);
    expect(deliveries).toBe(1);
    const [shown] = await Array.fromAsync(rows.bodies.shown(row ? [row] : [], soon));
    expect(parseExact(textOf(shown))).toEqual({
      id: event.id,
      object: 'event',
      type: type.replace(/^invoicing\.(\w+)-(\w+)\.v\d+$/, '$1.$2'),
      created_at: event.time,
      livemode: event.env === 'live',
      sequence: event.sequence,
      data: event.data,
    });
  },
);
