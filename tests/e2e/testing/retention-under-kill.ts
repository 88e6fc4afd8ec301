import type { DocumentStore } from '@svc/document-store';
import { createIds, iso } from '@svc/kernel';
import { client, eventually, startAs, startReceiver, type Call, type Kind, type System } from '@svc/testkit';
import { type Delivery, deliveryIndexes, newDelivery } from '@svc/webhooks-dispatcher/delivery/delivery';
import { customerCreated, shopEndpoint } from '@svc/webhooks-dispatcher/delivery/testing/rows';
import { eventIndexes, type EventRow, lastPosition, storedEvent, type StoredEvent } from '@svc/webhooks-dispatcher/event/event';
import { HUGE } from './accounts.ts';
import { inWebhooks } from './webhook-rows.ts';

const OLD = 5_000;
const BATCH = 500;
const DAY = 86_400_000;
const KEEP_DAYS = 3;
/** The first removal begins a minute after the first start; a claim of a killed process lasts another one. */
const REMOVED_MS = 300_000;
const attempt = { n: 1, duration_ms: 1, trigger: 'schedule' as const, status_code: 200, error: null, response_body: '' };

/** Defines the test of what is kept no longer, while the system that removes it is killed. */
export function testRetentionUnderKill(kind: Kind): void {
  let system: System;
  let hook: Awaited<ReturnType<typeof startReceiver>>;
  let call: Call;
  let account: string;
  let id: string;
  beforeAll(async () => {
    hook = await startReceiver(() => 200);
    system = await startAs(kind, { WEBHOOKS_ALLOW: hook.origin, WEBHOOKS_KEEP_DAYS: String(KEEP_DAYS) });
    const { body } = await client(`${system.ops}/admin`, system.setup.admin_token)<{ id: string; test_key: string }>('POST', '/accounts', {
      body: { name: 'Retention', plan: 'enterprise', limits: HUGE },
    });
    account = body.id;
    call = client(`${system.url}/v1`, body.test_key);
    const endpoint = { url: `${hook.origin}/hook`, events: ['*'], description: 'all' };
    id = (await call<{ id: string }>('POST', '/webhooks', { body: endpoint })).body.id;
  });
  afterAll(async () => {
    await system?.stop();
    await hook?.close();
  });

  const kill = async (meanwhile: () => Promise<void> = async () => undefined): Promise<void> => {
    await system.kill('SIGKILL');
    await meanwhile();
    system = await system.restart();
  };
  const total = async (path: string, query: object = {}): Promise<number> =>
    (await call<{ meta: { total: number } }>('GET', path, { query: { per_page: 1, ...query } })).body.meta.total;
  const log = (query: object = {}) => total(`/webhooks/${id}/deliveries`, query);

  /** Events of a day too long ago, and deliveries of events of that day that are gone; that of the first event waits. Returns the id of that event. */
  async function writeOld(documents: DocumentStore): Promise<string> {
    const events = documents.collection<EventRow>('events', { indexes: eventIndexes, texts: ['body'] });
    const deliveries = documents.collection<Delivery>('deliveries', { indexes: deliveryIndexes });
    let at = Date.now() - (KEEP_DAYS + 2) * DAY;
    const ids = createIds({ now: () => at });
    const end = await lastPosition(events, { account, env: 'test' });
    const rows = Array.from({ length: OLD }, (_, n): EventRow => {
      at += 1;
      const data = { id: `cust_${n}`, note: 'x'.repeat(300) };
      const event = { ...customerCreated, id: `evt_${ids.next()}`, account, subject: `cust_${n}`, time: iso(at), data };
      return { ...storedEvent({ event, type: 'customer.created' }), log_position: end + n + 1 };
    });
    const ofEndpoint = { ...shopEndpoint(), _id: id };
    const waits = newDelivery(rows[0] as StoredEvent, ofEndpoint, Date.now() + DAY);
    const ended = rows.slice(1).map((row): Delivery => {
      const gone = { ...row, _id: `evt_${ids.next()}` } as StoredEvent;
      const attempts = [{ ...attempt, at: iso(row.at) }];
      return { ...newDelivery(gone, ofEndpoint, row.at), status: 'succeeded', due_at: null, next_at: null, attempts };
    });
    const made = [waits, ...ended];
    for (let n = 0; n < OLD; n += BATCH) {
      await events.write(rows.slice(n, n + BATCH).map((insert) => ({ insert })));
      await deliveries.write(made.slice(n, n + BATCH).map((insert) => ({ insert })));
    }
    return (rows[0] as EventRow)._id;
  }

  test('what is kept no longer goes, and nothing else, though kill -9 stops the removal', async () => {
    expect((await call('POST', '/customers', { body: { name: 'Fresh' } })).status).toBe(201);
    await eventually(async () => (await log({ status: 'succeeded' })) === 1, 'the delivery of the fresh event');
    let waits = '';
    await inWebhooks(system, { kill, write: async (documents) => void (waits = await writeOld(documents)) });
    expect([await total('/events'), await log()]).toEqual([OLD + 1, OLD + 1]);
    const left = async (): Promise<number> => (await total('/events')) + (await log());
    for (const share of [0.95, 0.5]) {
      await eventually(async () => (await left()) <= share * 2 * OLD, 'a part of it removed', REMOVED_MS);
      await kill();
      expect(await left()).toBeGreaterThan(4);
    }
    await eventually(async () => (await left()) <= 4, 'the end of the removal', REMOVED_MS);
    expect([await total('/events'), await log()]).toEqual([2, 2]);
    expect([await log({ status: 'pending' }), await log({ status: 'succeeded' })]).toEqual([1, 1]);
    expect((await call('GET', `/events/${waits}`)).status).toBe(200);
  }, 900_000);

  test('an endpoint that is deleted when kill -9 comes receives nothing more, and its log stays', async () => {
    const deleted = call('DELETE', `/webhooks/${id}`).catch(() => undefined);
    await kill();
    await deleted;
    await call('DELETE', `/webhooks/${id}`);
    hook.deliveries.length = 0;
    const before = await total('/events');
    await call('POST', '/customers', { body: { name: 'After' } });
    await eventually(async () => (await total('/events')) > before, 'the event');
    await kill();
    await eventually(async () => (await log({ status: 'pending' })) === 0, 'the end of what waited', REMOVED_MS);
    expect(hook.deliveries).toEqual([]);
    expect(await log({ status: 'succeeded' })).toBe(1);
  }, 400_000);
}
