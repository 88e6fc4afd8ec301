import { createRetention, type DocumentStore } from '@svc/document-store';
import { watched } from '@svc/document-store/testing/under-way';
import { createIds, FakeClock, iso, soon } from '@svc/kernel';
import { wholeOf } from '@svc/service/lists/testing/whole';
import type { WebhooksContext } from './delivery/context.ts';
import { newDelivery } from './delivery/delivery.ts';
import { DeliveriesController } from './delivery/http.ts';
import { customerCreated, idleWorker, rowsIn, shopEndpoint, silent } from './delivery/testing/rows.ts';
import type { Cursor } from './endpoint/domain/recovery.ts';
import { type StoredEvent, storedEvent } from './event/event.ts';
import { EventsController } from './event/http.ts';
import { pageBehind } from './recovery/missing.ts';
import { retentionsOf } from './retention.ts';

const AT_ONCE = 1_000;
const DAY = 86_400_000;

interface Opened {
  documents: DocumentStore;
  close(): Promise<void>;
}

/** On every document store: so many events that all happened in one millisecond, with a delivery of each. `open`: an empty database. */
export function oneMillisecondSuite(name: string, count: number, open: () => Promise<Opened>): void {
  describe(`${count} events of one millisecond, ${name}`, () => {
    const clock = new FakeClock();
    const endpoint = shopEndpoint();
    const at = clock.now();
    let opened: Opened;
    let seen: ReturnType<typeof watched>;
    let context: WebhooksContext;
    let all: StoredEvent[];
    let others: StoredEvent[];

    beforeAll(async () => {
      opened = await open();
      seen = watched(opened.documents);
      context = { ...rowsIn(seen.documents), clock, publicUrl: 'https://x', logger: silent } as unknown as WebhooksContext;
      const ids = createIds(clock);
      const stored = (n: number, time: number): StoredEvent => {
        const subject = `cust_${n}`;
        const event = { ...customerCreated, id: `evt_${ids.next()}`, subject, time: iso(time), sequence: n, data: { id: subject } };
        return { ...storedEvent({ event, type: 'customer.created' }), log_position: n };
      };
      // One before them and one behind them.
      const made = Array.from({ length: count + 2 }, (_, n) => stored(n + 1, n === 0 ? at - 1 : n > count ? at + 1 : at));
      [all, others] = [made.slice(1, -1), [made[0], made.at(-1)] as StoredEvent[]];
      await context.endpoints.insert(endpoint);
      for (let from = 0; from < made.length; from += AT_ONCE) {
        const some = made.slice(from, from + AT_ONCE);
        await context.events.write(some.map((insert) => ({ insert })));
        await context.deliveries.write(
          some.map((event) => ({ insert: { ...newDelivery(event, endpoint, at), status: 'failed', due_at: null, next_at: null } })),
        );
      }
    }, 120_000);
    afterAll(() => opened.close());

    const walked = async (since: number, until: number, limit: number): Promise<string[]> => {
      const seen: string[] = [];
      let next: Cursor | undefined = { at: since, after: '' };
      while (next) {
        const page = await pageBehind(context, endpoint, endpoint._id, { until, types: ['customer.created'], ...next, limit }, soon);
        seen.push(...page.candidates.map(({ event }) => event));
        ({ next } = page);
      }
      return seen;
    };
    const idsOf = (events: readonly StoredEvent[]): string[] => events.map(({ _id }) => _id);
    const request = (query: object) =>
      ({
        ...{ identity: { account: 'acct_1', env: 'test' }, params: { id: endpoint._id }, url: '/v1/x', turn: soon },
        query: { page: 1, per_page: 100, ...query },
      }) as never;

    test('a recovery finds each of them once, in their order', async () => {
      expect(await walked(at, at, 500)).toEqual(idsOf(all));
      expect(await walked(at - 1, at + 1, 1_777)).toEqual(idsOf([others[0] as StoredEvent, ...all, others[1] as StoredEvent]));
    });

    test('lists count all of them, and show the last of their pages', async () => {
      const lastPage = Math.ceil(count / 100);
      const moment = { created_from: iso(at), created_to: iso(at), page: lastPage };
      const events = await wholeOf(await new EventsController(context).list(request(moment)));
      expect([events.meta.total, events.data.length]).toEqual([count, 50]);
      const { data } = events as unknown as { data: { id: string }[] };
      expect(data.map(({ id }) => id)).toEqual(idsOf(all).slice(0, 50).toReversed());
      const controller = new DeliveriesController(context, idleWorker(context));
      const deliveries = await wholeOf(await controller.list(request({ page: lastPage, status: ['failed'] })));
      expect([deliveries.meta.total, deliveries.data.length]).toEqual([count + 2, 52]);
    });

    test('all of them are removed after 30 days', async () => {
      await clock.advance(31 * DAY, seen.settled);
      const { start } = createRetention({ documents: seen.documents, clock, logger: silent, of: retentionsOf(context) });
      const retention = start();
      const left = async (): Promise<number> => await context.events.count({ account: 'acct_1', env: 'test' });
      for (let minutes = 0; minutes < 60 && (await left()) > 0; minutes += 1) await clock.advance(60_000, seen.settled);
      await retention.stop();
      expect([await left(), await context.deliveries.count({ endpoint_id: endpoint._id })]).toEqual([0, 0]);
    }, 120_000);
  });
}
