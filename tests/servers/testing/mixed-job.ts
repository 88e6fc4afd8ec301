import type { Call, Processes, startReceiver } from '@svc/testkit';
import { HUGE } from '../../e2e/testing/accounts.ts';
import { deliveredIds, expectOneNumberEach, expectOneRegistrationEach, readLedger } from '../../e2e/testing/exactly-once.ts';
import { everything, sleep, type Invoice } from '../../e2e/testing/retrying-client.ts';
import { openAccountOf } from './account.ts';
import { mixedClient, type MixedClient } from './mixed-client.ts';
import { deadLetterLines } from './mixed-findings.ts';
import { mixedHooks } from './mixed-hooks.ts';
import { livingConsumption } from './queues.ts';

/** Of a phase. */
const INVOICES = 12;
const DRAFTS = 2;
const RECEIPTS = 4;
/** An invoice's total, and a receipt's. */
const TOTAL = 120;
const PAID = 50;

const READ_EVERY_MS = 200;
const MOST_NAMED = 5;

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

export interface MixedJob {
  /**
   * Does a phase's work at these gateways; resolves when all is registered, delivered and reported, and is as acknowledged. Rejects with what
   * is not, or is not yet when `over` aborts.
   */
  run(gateways: readonly string[], over: AbortSignal): Promise<void>;
  /** The errors that the system answered in this phase. */
  errors: MixedClient['errors'];
}

/**
 * The end-to-end job of one account over all phases of an upgrade. Each phase adds webhook endpoints, a customer, invoices and receipts, uses,
 * changes and voids those of earlier phases, and checks all of them: documents that one release has begun are continued by the other.
 */
export async function openMixedJob(system: Processes, receiver: Receiver): Promise<MixedJob> {
  const account = await openAccountOf(system, 'Mixed', HUGE);
  const client = mixedClient(account.test_key);
  const hooks = mixedHooks(receiver);
  const customers: string[] = [];
  const drafts: { n: number; id: string }[] = [];
  /** Acknowledged numbers by id. */
  const invoices = new Map<string, string>();
  const receipts = new Map<string, string>();
  const voided = new Set<string>();
  /** What drafts and customers were changed to, by id. */
  const noted = new Map<string, string>();
  const renamed = new Map<string, string>();
  let begun = 0;

  async function addCustomer(n: number): Promise<void> {
    const { id } = await client.send(n, '/customers', { name: `Customer ${n}`, email: 'office@customer.example' }, `customer-${n}`);
    customers.push(id);
  }
  async function draft(n: number): Promise<string> {
    const items = [{ description: 'x', quantity: 1, unit_price: 100, tax_rate: 20 }];
    const customer_id = customers[n % customers.length];
    return (await client.send(n, '/invoices', { customer_id, currency: 'EUR', items }, `invoice-${n}`)).id;
  }
  async function submit(n: number, id: string): Promise<void> {
    const { number } = await client.send(n + 1, `/invoices/${id}/submit`, undefined, `submit-${n}`);
    invoices.set(id, number);
  }
  async function receipt(n: number): Promise<void> {
    const items = [{ description: 'x', quantity: 1, unit_price: PAID, tax_rate: 20 }];
    const body = { items, payment_method: 'card', currency: 'EUR', customer_id: customers[n % customers.length] };
    const { id, number } = await client.send(n, '/receipts', body, `receipt-${n}`);
    receipts.set(id, number);
  }

  async function voidOne(n: number, path: string, of: Map<string, string>): Promise<void> {
    const id = [...of.keys()].find((one) => !voided.has(one));
    if (id === undefined) return;
    await client.send(n, `${path}/${id}/void`, { reason: 'Wrong customer' }, `void-${path}-${n}`);
    voided.add(id);
  }
  /** Until it is answered, by whichever gateway: the same change may be made twice. */
  async function change(path: string, body: object): Promise<void> {
    for (let n = 0; ; n += 1) {
      const call = client.calls()[n % client.calls().length] as Call;
      const answer = await call('PATCH', path, { body }).catch(() => undefined);
      if (answer?.status === 200) return;
      if (answer && answer.status < 500) throw new Error(`PATCH ${path} answered ${answer.status}: ${answer.text}`);
      await sleep(READ_EVERY_MS);
    }
  }

  /** Documents and a customer of earlier phases, by what runs now. */
  async function goOn(n: number): Promise<void> {
    await Promise.all([voidOne(n, '/invoices', invoices), voidOne(n, '/receipts', receipts)]);
    const [draftId, customerId] = [drafts[0]?.id, customers[0]];
    if (draftId !== undefined) {
      await change(`/invoices/${draftId}`, { notes: `of phase ${n}` });
      noted.set(draftId, `of phase ${n}`);
    }
    if (customerId !== undefined && n > 0) {
      await change(`/customers/${customerId}`, { name: `Renamed ${n}` });
      renamed.set(customerId, `Renamed ${n}`);
    }
  }

  /** Some invoices are submitted in the next phase, by what runs then. */
  async function work(): Promise<void> {
    const first = begun;
    begun += INVOICES;
    await goOn(first);
    const earlier = drafts.splice(0);
    const of = (count: number): number[] => Array.from({ length: count }, (_, n) => first + n);
    await Promise.all([
      ...earlier.map(({ n, id }) => submit(n, id)),
      ...of(INVOICES - DRAFTS).map(async (n) => submit(n, await draft(n))),
      ...of(INVOICES)
        .slice(-DRAFTS)
        .map(async (n) => drafts.push({ n, id: await draft(n) })),
      ...of(RECEIPTS).map(receipt),
    ]);
  }

  /** What two calls read in turn, which two replicas answer where there are two; throws when it is not the same, but for fields that one release adds. */
  async function both<T>(read: (call: Call) => Promise<T>): Promise<T> {
    const calls = client.calls();
    const one = await read(calls[0] as Call);
    const other = await read(calls[1] as Call);
    expect(known(other, one)).toEqual(known(one, other));
    return one;
  }
  const listed = (path: string, query?: Record<string, string>): Promise<Invoice[]> =>
    both((call) => everything<Invoice>(call, path, query));
  const sales = async (call: Call): Promise<unknown> => {
    const { status, body, text } = await call<{ totals: unknown }>('GET', '/reports/sales');
    if (status !== 200) throw new Error(`GET /reports/sales answered ${status}: ${text}`);
    return body.totals;
  };

  async function settled(over: AbortSignal): Promise<void> {
    const call = client.calls()[0] as Call;
    const unregistered = async (path: string, of: Map<string, string>): Promise<string[]> => {
      const codes = new Map((await everything<Invoice>(call, path)).map(({ id, fiscal_code }) => [id, fiscal_code]));
      return [...of.keys()].filter((id) => !codes.get(id));
    };
    const until = untilNone(over);
    await until('invoices without a fiscal code', () => unregistered('/invoices', invoices));
    await until('receipts without a fiscal code', () => unregistered('/receipts', receipts));
    await until('events that are not handled', async () => (await livingConsumption(system.servers)).filter(({ lag }) => lag > 0));
    await until('webhooks', () => hooks.faults(call));
    await until('dead letters', () => deadLetterLines(system));
    await until('not as acknowledged', () => check().then(() => []));
  }

  /** Throws what is not as acknowledged. */
  async function check(): Promise<void> {
    const all = await listed('/invoices');
    expect(
      all
        .filter(({ number }) => !number)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(drafts.map(({ id }) => id).sort());
    const submitted = all.filter(({ number }) => number);
    const issued = await listed('/receipts');
    const wrong = (of: Invoice[], status: string): Invoice[] => of.filter((one) => one.status !== (voided.has(one.id) ? 'voided' : status));
    expect([...wrong(submitted, 'submitted'), ...wrong(issued, 'issued')]).toEqual([]);
    const notes = new Map((all as (Invoice & { notes: string | null })[]).map((one) => [one.id, one.notes]));
    expect([...noted].filter(([id, text]) => notes.get(id) !== text)).toEqual([]);
    expectOneNumberEach(submitted, invoices);
    expectOneNumberEach(issued, receipts);
    expectOneRegistrationEach(await readLedger(system.simulator), [...submitted, ...issued]);
    const names = new Map(((await listed('/customers')) as object[] as { id: string; name: string }[]).map(({ id, name }) => [id, name]));
    expect([...names.keys()].sort()).toEqual([...customers].sort());
    expect([...renamed].filter(([id, name]) => names.get(id) !== name)).toEqual([]);
    expect((await listed('/webhooks')).map(({ id }) => id).sort()).toEqual(hooks.ids().sort());
    expect(deliveredIds(receiver.deliveries, 'customer.created')).toEqual(new Set(customers));
    expect(deliveredIds(receiver.deliveries, 'invoice.created')).toEqual(new Set(all.map(({ id }) => id)));
    expect(deliveredIds(receiver.deliveries, 'invoice.submitted')).toEqual(new Set(invoices.keys()));
    expect(deliveredIds(receiver.deliveries, 'receipt.created')).toEqual(new Set(receipts.keys()));
    for (const [type, of] of [['invoice.voided', invoices] as const, ['receipt.voided', receipts] as const])
      expect(deliveredIds(receiver.deliveries, type)).toEqual(new Set([...voided].filter((id) => of.has(id))));
    const [counted, paid] = [invoices, receipts].map((of) => [...of.keys()].filter((id) => !voided.has(id)).length) as [number, number];
    const documents = counted + paid;
    const total = counted * TOTAL + paid * PAID;
    expect(await both(sales)).toMatchObject([{ currency: 'EUR', documents, total }]);
  }

  return {
    errors: client.errors,
    async run(gateways, over) {
      await client.use(gateways, over);
      for (const call of client.calls().slice(0, 2)) await hooks.add(call);
      await addCustomer(begun);
      await client.repeat();
      await work();
      await settled(over);
    },
  };
}

/** Reads until nothing is left; throws with what is left when `over` aborts. */
const untilNone = (over: AbortSignal) =>
  async function untilNoneLeft(what: string, read: () => Promise<unknown[]>): Promise<void> {
    for (;;) {
      const left = await read().catch((error: Error) => [error.message]);
      if (left.length === 0) return;
      if (over.aborted) throw new Error(`${what}: ${left.slice(0, MOST_NAMED).map(textOf).join(', ')}`);
      await sleep(READ_EVERY_MS);
    }
  };
const textOf = (one: unknown): string => (typeof one === 'string' ? one : JSON.stringify(one));

/** The JSON value without the fields, at any depth, that the other does not have, and without those that the releases fill differently. */
function known(one: unknown, other: unknown): unknown {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one;
  if (Array.isArray(one)) return one.map((item, n) => (Array.isArray(other) ? known(item, other[n]) : item));
  const differs = (field: string): boolean => (isAtRest(one) && OWED.includes(field)) || (isEndpoint(one) && field === 'version');
  const fields = Object.entries(one).filter(([field]) => Object.hasOwn(other, field) && !differs(field));
  return Object.fromEntries(fields.map(([field, value]) => [field, known(value, (other as Record<string, unknown>)[field])]));
}

/** until 0.3: what a draft, a failed and a voided document owes was its total before 0.2, and is nothing since. */
const OWED = ['amount_due', 'payment_status'];
const isAtRest = (one: object): boolean =>
  'payment_status' in one && 'status' in one && ['draft', 'failed', 'voided'].includes(String(one.status));
/** until 0.3: 0.1.0 shows the version that counts all writes, also that the audit has a change and those of an endpoint's health, which are not shown since. */
const isEndpoint = (one: object): boolean => 'object' in one && one.object === 'webhook_endpoint';
