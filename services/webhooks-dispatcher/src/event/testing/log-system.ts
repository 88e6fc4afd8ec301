import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { FakeClock, soon } from '@svc/kernel';
import { wholeOf } from '@svc/service/lists/testing/whole';
import type { WebhooksContext } from '../../delivery/context.ts';
import { FanOut } from '../../delivery/fan-out.ts';
import { busAt, customerCreated, idleWorker, type rowsIn } from '../../delivery/testing/rows.ts';
import { type EventRow, storedEvent } from '../event.ts';
import { EventsController } from '../http.ts';

/** Of one account. Their ids are in the order of `n`. */
export const eventOf = (n: number): PublicEvent => ({ ...customerCreated, id: `evt_01jqz5rk4e7${String(n).padStart(15, '0')}` });

interface Shown {
  data: { id: string }[];
  meta: { last_page: number };
  links: object;
}

/** What stores and shows events, on these collections. */
export function logSystem(rows: ReturnType<typeof rowsIn>) {
  const contextOf = (parts: Partial<WebhooksContext> = {}) =>
    ({ ...rows, clock: new FakeClock(), bus: busAt(0), publicUrl: 'https://x', ...parts }) as unknown as WebhooksContext;
  const listed = async (query: object): Promise<Shown> => {
    const request = {
      identity: { account: 'acct_1', env: 'test' },
      query: { page: 1, per_page: 20, ...query },
      ...{ params: {}, url: '/v1/events', turn: soon, releasePermit: () => undefined },
    };
    return wholeOf<{ id: string }>((await new EventsController(contextOf()).list(request as never)) as never);
  };
  const followed = (after: string, query: object = {}): Promise<Shown> => listed({ after, ...query });
  return {
    rows,
    /** A process. It handles what it is called with. */
    dispatcher(parts: Partial<WebhooksContext> = {}) {
      const context = contextOf(parts);
      const fanOut = new FanOut(context, idleWorker(context));
      return (...events: PublicEvent[]) => fanOut.on(events, { topic: topics.customer, positions: events.map(() => undefined) });
    },
    /** As release 0.1.0 stores events. */
    storeAsBefore: (...events: PublicEvent[]): Promise<unknown> =>
      rows.events.write(
        events.map((event) => ({ insert: { ...storedEvent({ event, type: 'customer.created' }), version: 1 } satisfies EventRow })),
      ),
    /** The ids of the list's pages, one after the other. */
    async idsListed(query: object = {}): Promise<string[]> {
      const ids: string[] = [];
      for (let page = 1, last = 1; page <= last; page += 1) {
        const { data, meta } = await listed({ page, per_page: 3, ...query });
        ids.push(...data.map(({ id }) => id));
        last = meta.last_page;
      }
      return ids;
    },
    /** The page of events after this one. */
    followed,
    idsAfter: async (after: string, query?: object): Promise<string[]> => (await followed(after, query)).data.map(({ id }) => id),
  };
}
