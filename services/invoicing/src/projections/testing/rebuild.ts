import { type DocumentStore } from '@svc/document-store';
import { digestOf } from '@svc/document-store/testing/digest';
import { type EventStore, watchCatchingUp, runProjection, type RunningProjection, type Row, type Projection } from '@svc/event-store';
import { dropProjections, oldProjections } from '@svc/event-store/projection/old-projections';
import { listProjection } from '@svc/service';
import { wholeOf } from '@svc/service/lists/testing/whole';
import { createCustomer, updateCustomer } from '../../customer/write.ts';
import { customersProjection } from '../../customer/list.ts';
import { createInvoice, invoicesProjection } from '../../invoice/invoices.ts';
import { submitInvoice } from '../../invoice/write.ts';
import { callerOf, systemOn } from '../../testing/open-system.ts';
import { createReceipt } from '../../receipt/write.ts';
import { receiptsProjection } from '../../receipt/receipts.ts';
import { productsProjection } from '../../product/list.ts';
import { createProduct } from '../../product/write.ts';

export interface Adapters {
  documents: DocumentStore;
  eventStore: EventStore;
  close(): Promise<void>;
}

const live: Projection<Row>[] = [
  invoicesProjection,
  receiptsProjection,
  customersProjection,
  productsProjection,
] as unknown as Projection<Row>[];
const next: Projection<Row>[] = live.map((projection) => ({
  ...projection,
  name: projection.name.replace(/_v(\d+)$/, (_, n: string) => `_v${Number(n) + 1}`),
}));

/** Checks on any adapters that a release with new versions of the read models builds them beside the old ones. `rounds`: of writes before it starts. */
export function testRebuild(name: string, open: () => Promise<Adapters>, rounds: number): void {
  describe(`a new version of the read models: ${name}`, () => {
    let adapters: Adapters;
    let old: ReturnType<typeof systemOn>;
    let running: RunningProjection<Row>[];
    const stops: (() => Promise<void>)[] = [];

    beforeAll(async () => {
      adapters = await open();
      old = systemOn({ documents: adapters.documents, raw: adapters.eventStore });
      running = start(old, live);
    });
    afterAll(async () => {
      await Promise.all(stops.map((stop) => stop()));
      await adapters.close();
    });

    function start({ subscribing }: Pick<typeof old, 'subscribing'>, projections: Projection<Row>[]): RunningProjection<Row>[] {
      const started = projections.map((projection) => runProjection(projection, adapters.documents, subscribing));
      stops.push(
        ...started.map(
          ({ subscription }) =>
            () =>
              subscription.stop(),
        ),
      );
      return started;
    }
    const tenants = Array.from({ length: 3 }, (_, n) => `acct_01jh2k3m4n5p6q7r8s9t0v1w${n}x`);
    const customersOf = new Map<string, string>();

    /** Creates or updates one document of each kind for one tenant. */
    async function write(n: number): Promise<void> {
      const account = tenants[n % tenants.length] as string;
      const identity = () => callerOf(old, account);
      const { context, customers } = old;
      const known = customersOf.get(account);
      if (known === undefined || n % 7 === 0)
        customersOf.set(account, (await createCustomer({ context, customers, identity: identity() }, { name: `Customer ${n}` })).id);
      else
        await updateCustomer({ context, customers, identity: identity() }, { id: known, ifMatch: undefined, body: { name: `Name ${n}` } });
      const items = [{ description: 'x', unit_price: '0.10', quantity: n + 1 }];
      const invoice = await createInvoice({ context, identity: identity() }, { customer_id: customersOf.get(account) as string, items });
      if (n % 2 === 0) await submitInvoice({ context, identity: identity() }, { id: invoice.id, ifMatch: undefined, lateReason: null });
      await createProduct({ context, products: old.products, identity: identity() }, { name: `Product ${n}` });
      if (n % 3 === 0) await createReceipt({ context, identity: identity() }, { items, payment_method: 'cash' });
    }

    async function total(projection: RunningProjection<Row>, account: string): Promise<number> {
      const request = { identity: callerOf(old, account), query: { page: 1, per_page: 20 }, url: '/v1/invoices' } as never;
      const page = await wholeOf(
        await listProjection({
          running: projection,
          publicUrl: 'https://x',
          request,
          filter: {},
          orders: {},
        }),
      );
      return page.meta.total;
    }

    test('is built from the first event while the old version serves lists, is ready once it has caught up, and has the same rows', async () => {
      for (let n = 0; n < rounds; n += 1) await write(n);

      // The next release starts and is stopped half way; another process continues from its checkpoints.
      const first = systemOn({ documents: adapters.documents, raw: adapters.eventStore });
      const broken = next.map((projection) => runProjection(projection, adapters.documents, first.subscribing));
      await old.clock.sleep(50);
      await Promise.all(broken.map(({ subscription }) => subscription.stop()));

      const release = systemOn({ documents: adapters.documents, raw: adapters.eventStore });
      const beside = start(release, next);
      const stopped = new AbortController();
      const subscriptions = new Map(beside.map(({ projection, subscription }) => [projection.name, subscription]));
      const behind = watchCatchingUp({ store: adapters.eventStore, subscriptions, clock: old.clock, stopped: stopped.signal });
      expect(behind().sort()).toEqual(next.map(({ name: projection }) => projection).sort());

      // Meanwhile the old release accepts commands, and its lists miss no change.
      const invoices = running[0] as RunningProjection<Row>;
      const account = tenants[0] as string;
      let known = await total(invoices, account);
      for (let n = 0; behind().length > 0 || n < 10 * tenants.length; n += 1) {
        await write(n);
        if (n % tenants.length === 0) expect(await total(invoices, account)).toBe((known += 1));
      }
      stopped.abort();

      for (const [n, projection] of beside.entries()) {
        const before = running[n] as RunningProjection<Row>;
        await Promise.all([projection.barrier(), before.barrier()]);
        const digest = await digestOf(before.rows);
        expect(digest.rows).toBeGreaterThan(0);
        expect([projection.projection.name, await digestOf(projection.rows)]).toEqual([projection.projection.name, digest]);
      }
    });

    test('the new release can remove the read models of the old one, and its own stay', async () => {
      await Promise.all(running.map(({ subscription }) => subscription.stop()));
      const kept = await Promise.all(next.map(({ name: projection }) => digestOf(adapters.documents.collection<Row>(projection))));
      expect(await oldProjections(adapters.documents, live)).toEqual([]); // the old release does not remove those of the new one
      const names = await oldProjections(adapters.documents, next);
      expect(names.sort()).toEqual(live.map(({ name: projection }) => projection).sort());
      await dropProjections(adapters.documents, names);
      expect(await oldProjections(adapters.documents, next)).toEqual([]);
      for (const projection of live) expect((await digestOf(adapters.documents.collection<Row>(projection.name))).rows).toBe(0);
      expect(await Promise.all(next.map(({ name: projection }) => digestOf(adapters.documents.collection<Row>(projection))))).toEqual(kept);
    });
  });
}
