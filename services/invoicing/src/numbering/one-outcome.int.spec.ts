import { setImmediate as nextTurn } from 'node:timers/promises';
import { FakeClock } from '@svc/kernel';
import { seeded } from '@svc/kernel/testing/seeded';
import type { DocumentContext } from '../document/context.ts';
import { createCustomer } from '../customer/write.ts';
import { reviseInvoice, submitInvoice } from '../invoice/write.ts';
import { callerOf, dataFolder, openSystem, systemOn } from '../testing/open-system.ts';
import { createReceipt } from '../receipt/write.ts';
import type { NumberTaken } from './domain/numbering.ts';
import { createInvoice, invoices } from '../invoice/invoices.ts';
import { invoiceProcess } from '../invoice/process.ts';
import { receiptProcess } from '../receipt/process.ts';
import { receipts } from '../receipt/receipts.ts';

const folder = dataFolder();
const system = openSystem(folder.path, new FakeClock(Date.UTC(2026, 10, 22, 12)));
afterAll(() => {
  system.engine.close();
  folder.remove();
});
const { context, ids, keys, store } = system;

/** Another replica: shares only what is stored. */
const replica = () => systemOn(system, system.clock);

async function fixture() {
  const account = `acct_${ids.next()}`;
  const identity = () => callerOf(system, account);
  const metadata = { account, env: 'test' as const };
  const ref = (id: string) => ({ ...metadata, id });
  const items = [{ description: 'x', unit_price: 1 }];
  const customerOf = () => createCustomer({ context, customers: system.customers, identity: identity() }, { name: 'Jo' });
  const customer = await customerOf();
  const draft = async () => (await createInvoice({ context, identity: identity() }, { customer_id: customer.id, items })).id;
  const submit = (id: string, on = context) =>
    submitInvoice({ context: on, identity: identity() }, { id, ifMatch: undefined, lateReason: null });

  const taken = async (code: string, year = '.2026') =>
    (await store.read(`series-test.${account}.${code}${year}`))
      .filter(({ type }) => type === 'NumberTaken')
      .map(({ data }) => data as NumberTaken);
  const invoice = async (id: string, on = context) => (await invoices.current(on, ref(id))).state;
  const numberOf = async (id: string): Promise<string | null> => {
    const state = id.startsWith('inv') ? await invoice(id) : (await receipts.load(context, ref(id))).state;
    return state && 'issue' in state ? (state.issue?.number ?? null) : null;
  };
  const finish = (id: string, on = context) => (id.startsWith('inv') ? invoiceProcess : receiptProcess).finish(on, ref(id));
  /** The customer is erased while a stalled actor is about to take the number; another one refuses, then the stalled one goes on. */
  async function refuseBesideStalled(id: string): Promise<void> {
    const late = stalled();
    const submitting = submit(id, late.context).catch(() => undefined);
    await late.arrived;
    await keys.destroy(customer.id);
    await finish(id);
    late.open();
    await submitting;
  }
  return {
    ...{ account, identity, customer, customerOf, draft, submit, taken, invoice, numberOf, finish, refuseBesideStalled, items },
  };
}

/** Has read everything, then waits before taking the number until `open` is called. */
function stalled(on: DocumentContext = context) {
  const [arrived, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const take: DocumentContext['sequence']['take'] = async (claim) => {
    arrived.resolve();
    await opened.promise;
    return on.sequence.take(claim);
  };
  return { context: { ...on, sequence: { head: on.sequence.head, take } }, arrived: arrived.promise, open: opened.resolve };
}

describe('a customer who is erased while the number is taken', () => {
  test('before the number is taken: every replica rejects the request, also a stalled one, and no number is used', async () => {
    const s = await fixture();
    const [id, till] = [await s.draft(), s.identity()];
    const late = [stalled(), stalled()] as const;
    const submitting = s.submit(id, late[0].context).catch((error: unknown) => error);
    const body = { customer_id: s.customer.id, items: s.items, payment_method: 'cash' as const };
    const selling = createReceipt({ context: late[1].context, identity: till }, body).catch((error: unknown) => error);
    await Promise.all(late.map(({ arrived }) => arrived));
    await keys.destroy(s.customer.id);
    await Promise.all([s.finish(id), s.finish(`rcp_${till.commandId}`)]);
    late.forEach(({ open }) => open());
    for (const answer of await Promise.all([submitting, selling]))
      expect(answer).toMatchObject({ details: { customer_id: expect.any(Array) } });
    expect([...(await s.taken('INV')), ...(await s.taken('RCP'))]).toEqual([]);
    expect(await s.invoice(id)).toMatchObject({ status: 'draft', refused: { customer_id: expect.any(Array) } });
  });

  test('after the number was taken: the number is found and belongs to the document', async () => {
    const s = await fixture();
    const id = await s.draft();
    const late = stalled();
    const submitting = s.submit(id, {
      ...late.context,
      sequence: {
        ...late.context.sequence,
        take: async (claim) => {
          const link = await context.sequence.take(claim);
          await late.context.sequence.take(claim);
          return link;
        },
      },
    });
    await late.arrived;
    await keys.destroy(s.customer.id);
    await s.finish(id);
    late.open();
    await submitting;
    expect(await s.taken('INV')).toMatchObject([{ document: id, number: await s.numberOf(id) }]);
  });

  test('a refusal does not affect the next request, also by a replica that has not seen it', async () => {
    const s = await fixture();
    const [id, other] = [await s.draft(), replica()];
    await other.context.sequence.head(`series-test.${s.account}.INV.2026`);
    await s.refuseBesideStalled(id);
    const named = { id, ifMatch: undefined, body: { customer_id: (await s.customerOf()).id } };
    await reviseInvoice({ context, identity: s.identity() }, named);
    expect(await s.submit(id, other.context)).toMatchObject({ number: 'INV-2026-000001' });
    expect(await s.submit(await new2(s))).toMatchObject({ number: 'INV-2026-000002' });
  });

  test('a refusal alone neither starts a series nor closes a year', async () => {
    const s = await fixture();
    const id = await s.draft();
    await s.refuseBesideStalled(id);
    const { id: customer_id } = await s.customerOf();
    const body = { customer_id, items: s.items, issue_date: '2025-12-31' };
    const { id: earlier } = await createInvoice({ context, identity: s.identity() }, body);
    expect(await s.submit(earlier)).toMatchObject({ number: 'INV-2025-000001' });
  });

  async function new2(s: Awaited<ReturnType<typeof fixture>>): Promise<string> {
    const { id: customer_id } = await s.customerOf();
    return (await createInvoice({ context, identity: s.identity() }, { customer_id, items: s.items })).id;
  }
});

test.each([1, 2, 3, 4])('replicas, erasures, stalls (seed %i): every number has its document, every refusal none', async (seed) => {
  const random = seeded(seed);
  const s = await fixture();
  const pause = async (): Promise<void> => {
    for (let turns = Math.floor(random() * 12); turns > 0; turns -= 1) await nextTurn();
  };
  /** Each replica caches keys of its own. */
  const replicas = Array.from({ length: 3 }, () => {
    const { context: on } = replica();
    const take: DocumentContext['sequence']['take'] = async (claim) => {
      await pause();
      return on.sequence.take(claim);
    };
    return { ...on, sequence: { head: on.sequence.head, take } };
  });
  const any = (): DocumentContext => replicas[Math.floor(random() * replicas.length)]!;
  const documents = await Promise.all(
    Array.from({ length: 24 }, async (_, n) => {
      const customer = await s.customerOf();
      const body = { customer_id: customer.id, items: s.items };
      if (n % 2) return { id: (await createInvoice({ context, identity: s.identity() }, body)).id, customer };
      const identity = s.identity();
      const gone = { ...context, sequence: { ...context.sequence, take: () => Promise.reject(new Error('gone')) } };
      await createReceipt({ context: gone, identity }, { ...body, payment_method: 'cash' }).catch(() => undefined);
      return { id: `rcp_${identity.commandId}`, customer };
    }),
  );
  await Promise.all(
    documents.map(async ({ id, customer }) => {
      const asked = id.startsWith('inv') ? s.submit(id, any()).catch(() => undefined) : s.finish(id, any());
      const erased = random() < 0.5 ? pause().then(() => keys.destroy(customer.id)) : undefined;
      const others = [1, 2].map(() => pause().then(() => s.finish(id, any())));
      await Promise.all([asked, erased, ...others]);
    }),
  );
  for (const { id } of documents) await s.finish(id);
  const all = (await Promise.all(['INV', 'RCP'].map((code) => s.taken(code)))).flat();
  const numbered = await Promise.all(documents.map(async ({ id }) => [id, await s.numberOf(id)] as const));
  expect(new Map(all.map(({ document, number }) => [document, number]))).toEqual(new Map(numbered.filter(([, number]) => number !== null)));
  expect(new Set(all.map(({ document }) => document)).size).toBe(all.length);
});
