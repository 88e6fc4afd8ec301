import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PublicEvent, Topic } from '@svc/contracts/events/envelope';
import { publicEvents } from '@svc/contracts/public-events';
import { webhookEventTypes } from '@svc/contracts/webhook/vocabulary';
import { Engine } from '@svc/embedded';
import { FakeClock, soon, textOf as jsonOf } from '@svc/kernel';
import { wholeOf } from '@svc/service/lists/testing/whole';
import type { WebhooksContext } from '../delivery/context.ts';
import { deliveryId } from '../delivery/delivery.ts';
import { FanOut } from '../delivery/fan-out.ts';
import { createInFlight } from '../delivery/in-flight.ts';
import { busAt, rowsOn, shopEndpoint, idleWorker } from '../delivery/testing/rows.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { EventBodies } from './bodies.ts';
import { storedEvent, webhookType, type WebhookEvent } from './event.ts';
import { EventsController } from './http.ts';

/** A system of which events were published. */
export interface PublishedFixture {
  /** In the order of publication: all types of webhook events, most of resources that changed afterwards. */
  events: PublicEvent[];
  /** A customer with events among them, who is not erased. */
  customer: string;
  /** The adapter, as a process has it that has just started. */
  open(): EventBodies;
  /** Erases the customer. Returns what is published of it. */
  erase(): Promise<PublicEvent[]>;
  close(): void;
}

/** The contract of `EventBodies`: whatever an adapter stores, the same events are shown, and an event is sent in the bytes that were stored first. */
export function eventBodiesSuite(name: string, openFixture: () => Promise<PublishedFixture>): void {
  describe(name, () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-bodies-'));
    let fixture: PublishedFixture;
    let engine: Engine;
    let rows: ReturnType<typeof rowsOn>;
    let events: PublicEvent[];
    /** Its resource has changed since. */
    let first: PublicEvent;
    beforeAll(async () => {
      fixture = await openFixture();
      events = fixture.events.filter(({ type }) => webhookType(type) !== undefined);
      first = events.find(({ id, subject }) => events.some((other) => other.subject === subject && other.id > id)) as PublicEvent;
    });
    beforeEach(() => {
      engine = Engine.open(mkdtempSync(join(folder, 'data-')), { durable: false });
      rows = rowsOn(engine);
    });
    afterEach(() => engine.close());
    afterAll(() => {
      fixture.close();
      rmSync(folder, { recursive: true });
    });

    /** As a process has it that has just started. */
    const contextOf = (parts: Partial<WebhooksContext> = {}) =>
      ({
        ...{ ...rows, bodies: fixture.open(), clock: new FakeClock(), bus: busAt(100), publicUrl: 'https://x' },
        ...parts,
      }) as unknown as WebhooksContext;

    /** Hands the events to a process, one by one, all at this position. */
    async function handle(batch: PublicEvent[], { at = 5n, ...parts }: Partial<WebhooksContext> & { at?: bigint } = {}): Promise<void> {
      const context = contextOf(parts);
      const fanOut = new FanOut(context, idleWorker(context));
      for (const event of batch) {
        const topic = publicEvents.get(event.type)?.topic as Topic;
        await fanOut.on([event], { topic, positions: [{ part: 'store', at, end: 100n }] });
      }
    }

    /** An endpoint of the first event's tenant that receives all later events. */
    const listens = (endpoint: Partial<Endpoint> = {}): Promise<boolean> =>
      rows.endpoints.insert({ ...shopEndpoint(), account: first.account, env: first.env, ...endpoint });

    const request = ({ account, env }: PublicEvent, more: object) =>
      ({ identity: { account, env }, url: '/v1/events', turn: soon, ...more }) as never;
    const shown = async ({ id, ...event }: PublicEvent): Promise<string> =>
      jsonOf(await new EventsController(contextOf()).read(request({ id, ...event }, { params: { id } })));
    async function listed(query: object = {}): Promise<object[]> {
      const page = { page: 1, per_page: 100, ...query };
      return (await wholeOf<object>(await new EventsController(contextOf()).list(request(first, { query: page })))).data;
    }

    const textOf = (event: PublicEvent): string => storedEvent({ event, type: webhookType(event.type) } as WebhookEvent).body;
    const sent = (event: PublicEvent): Promise<string> =>
      createInFlight(rows.events).use(event.id, async ({ body }) => body.toString('utf8'));
    const receivers = async (): Promise<string[]> => (await Array.fromAsync(rows.deliveries.find({}))).map(({ event_id }) => event_id);
    /** The event as a release publishes it that has added a field to the resource. */
    const widened = (event: PublicEvent): PublicEvent => ({ ...event, data: { ...event.data, added: 1 } });

    test('an event of each type is shown as it was published, although its resource has changed since', async () => {
      await handle(events);
      expect(new Set(events.map(({ type }) => webhookType(type)))).toEqual(new Set(webhookEventTypes));
      for (const event of events) expect([event.type, await shown(event)]).toEqual([event.type, textOf(event)]);
    });

    test('events are listed newest first, delivered and undelivered ones alike', async () => {
      await listens({ events: ['invoice.updated', 'invoice.voided', 'customer.created'] });
      await handle(events);
      const own = events.filter(({ account, env }) => account === first.account && env === first.env).toReversed();
      const delivered = await receivers();
      expect(own.some(({ id }) => delivered.includes(id)) && own.some(({ id }) => !delivered.includes(id))).toBe(true);
      const expected = (all: PublicEvent[]) => all.map((event) => JSON.parse(textOf(event)) as object);
      expect(await listed()).toEqual(expected(own));
      expect(await listed({ page: 2, per_page: 3 })).toEqual(expected(own.slice(3, 6)));
      expect(await listed({ resource_id: [first.subject] })).toEqual(expected(own.filter(({ subject }) => subject === first.subject)));
    });

    test('an event that is published again, also after a restore, is one event', async () => {
      await handle(events.map((event) => ({ ...event, republished: true })));
      await handle(events);
      expect(await rows.events.count({})).toBe(events.length);
      for (const event of events) expect(await shown(event)).toBe(textOf(event));
    });

    test('other tenants do not see an event', async () => {
      await handle([first]);
      await expect(shown({ ...first, account: 'acct_other' })).rejects.toMatchObject({ code: 'not_found' });
    });

    describe('the body of a delivered event', () => {
      test('is stored before its delivery, and stays as it is whatever is published afterwards', async () => {
        await listens();
        await handle([first]);
        await handle(events.map(widened));
        expect(await receivers()).toContain(first.id);
        expect(await sent(first)).toBe(textOf(first));
        expect(await shown(first)).toBe(textOf(first));
      });

      test('is stored by a repeated batch, when an endpoint was enabled meanwhile', async () => {
        await listens({ status: 'disabled' });
        await handle([first]);
        expect(await receivers()).toEqual([]);
        await rows.endpoints.claim({ _id: shopEndpoint()._id }, { set: { status: 'enabled' } });
        await handle([first]);
        expect(await receivers()).toEqual([first.id]);
        expect(await sent(first)).toBe(textOf(first));
      });

      test('keeps the position of the first publication, so that an endpoint of afterwards does not receive it', async () => {
        await handle([first], { at: 5n });
        await listens({ ends: Object.fromEntries([...publicEvents.values()].map(({ topic }) => [topic, { store: '7' }])) });
        await handle([first], { at: 9n });
        expect(await receivers()).toEqual([]);
        expect(await shown(first)).toBe(textOf(first));
      });

      test('is the first one that was stored, when the process ends before the deliveries are', async () => {
        await listens();
        const { deliveries } = rows;
        const fails = { ...deliveries, write: () => Promise.reject(new Error('the process is gone')) };
        await expect(handle([first], { deliveries: fails })).rejects.toThrow('gone');
        await handle([widened(first)]);
        expect(await receivers()).toEqual([first.id]);
        expect(await sent(first)).toBe(textOf(first));
      });

      test.each(['before', 'after'])('is stored when a handling that knows no endpoint stores the event %s it', async (when) => {
        await listens();
        const unaware = { ...rows.endpoints, find: () => rows.endpoints.find({ account: 'acct_none' }) };
        const write: typeof rows.events.write = async (ops) => {
          if (when === 'before') await handle([first], { endpoints: unaware });
          const stored = await rows.events.write(ops);
          if (when === 'after') await handle([first], { endpoints: unaware });
          return stored;
        };
        await handle([first], { events: { ...rows.events, write } });
        expect(await receivers()).toEqual([first.id]);
        expect(await sent(first)).toBe(textOf(first));
      });
    });

    test('an erased customer has no personal data in any event, delivered or not, nor in a reply to one; the rest stays', async () => {
      const of = events.filter(({ subject }) => subject === fixture.customer);
      const [created, ...others] = of as [PublicEvent];
      expect(others.length).toBeGreaterThan(0);
      await listens({ account: created.account, env: created.env, events: ['customer.created'] });
      await handle(events);
      const delivery = deliveryId(created.id, shopEndpoint()._id);
      const attempt = { n: 1, at: created.time, duration_ms: 1, trigger: 'schedule' as const, status_code: 500, error: null };
      const claimed = await rows.deliveries.claim({ _id: delivery }, { set: { attempts: [{ ...attempt, response_body: 'it repeats' }] } });
      expect(claimed).toHaveLength(1);
      const erased = await fixture.erase();
      await handle(erased);
      await handle(erased);
      const noData = { name: null, email: null, phone: null, tax_id: null, address: null };
      for (const event of events) {
        const data = event.subject === fixture.customer ? { ...event.data, ...noData } : event.data;
        expect(await shown(event)).toBe(textOf({ ...event, data }));
      }
      expect(await sent(created)).toBe(textOf({ ...created, data: { ...created.data, ...noData } }));
      expect(await rows.deliveries.get(delivery)).toMatchObject({ subject: null, attempts: [{ ...attempt, response_body: null }] });
      await rows.deliveries.write(claimed.map((put) => ({ put: { ...put, version: put.version + 1, status: 'succeeded' } })));
      expect(await rows.deliveries.get(delivery)).toMatchObject({ status: 'pending', attempts: [{ response_body: null }] });
      const last = erased.filter(({ type }) => webhookType(type) !== undefined);
      for (const event of last) expect(await shown(event)).toBe(textOf(event));
    });
  });
}
