import { iso } from '@svc/kernel';
import { type Delivery, newDelivery } from './delivery/delivery.ts';
import { shopEndpoint } from './delivery/testing/rows.ts';
import { deleteEndpoint } from './endpoint/change.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import type { Recovery } from './endpoint/recovery.ts';
import type { StoredEvent } from './event/event.ts';
import { killedAtEachWrite, least, stores } from './recovery/testing/killed.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test.each(stores)(
  'at whichever write a process on %s is killed that removes what is old, a deleted endpoint goes with its log and its recovery, the audit has its deletion, and what must stay is there',
  async (store) => {
    let kept: string[] = [];
    const kills = await killedAtEachWrite(store, {
      async prepare(on) {
        const { endpoints, deliveries, recoveries } = on.context;
        const at = on.clock.now();
        const [gone, late, waits] = (await on.happen(3)) as [StoredEvent, StoredEvent, StoredEvent];
        const attempts = [{ at: iso(at + 32 * DAY) } as never]; // redelivered
        const ended: Partial<Delivery> = { status: 'succeeded', due_at: null, next_at: null };
        const of = (_id: string, more: Partial<Endpoint> = {}): Endpoint => ({ ...shopEndpoint(), _id, place: _id, ...more });
        const [logged, live] = [of('we_logged', { deleted: true, deleted_at: iso(at) }), of('we_live')];
        await endpoints.write([logged, live].map((insert) => ({ insert })));
        const rows = [
          { ...newDelivery(gone, of('we_1'), at), ...ended },
          { ...newDelivery(late, logged, at), ...ended, attempts },
          newDelivery(waits, live, at + 60 * DAY),
        ];
        await deliveries.write(rows.map((insert) => ({ insert })));
        kept = rows.slice(1).map(({ _id }) => _id);
        for (const _id of ['we_1', 'we_logged', 'we_live'])
          await recoveries.insert({ _id, version: 1, due_at: null, status: 'done' } as Recovery);
        await deleteEndpoint(on.context, on.identity(), 'we_1');
        await on.pass(33 * DAY);
        kept.push(waits._id);
      },
      ...{ command: async () => undefined, works: 13 * MINUTE },
      async holds(on) {
        expect([...on.audited.values()].map(({ action }) => action)).toEqual(['webhook_endpoint.deleted']);
        const { endpoints, deliveries, recoveries, events } = on.context;
        const idsIn = async (collection: { find(filter: object): AsyncIterable<{ _id: string }> }): Promise<string[]> =>
          (await Array.fromAsync(collection.find({}))).map(({ _id }) => _id).toSorted();
        expect([await idsIn(endpoints), await idsIn(recoveries)]).toEqual(Array(2).fill(['we_live', 'we_logged']));
        expect([...(await idsIn(deliveries)), ...(await idsIn(events))].toSorted()).toEqual(kept.toSorted());
      },
    });
    expect(kills).toBeGreaterThan(least(store, 10));
  },
);
