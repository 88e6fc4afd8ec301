import { DomainError } from '@svc/kernel';
import { deleteCustomer, eraseCustomer } from '../customer/write.ts';
import type { DocumentContext } from './context.ts';
import { invoiceProcess } from '../invoice/process.ts';
import { createInvoice, invoices } from '../invoice/invoices.ts';
import { recordPayment, reversePayment } from '../invoice/payments.ts';
import { reviseInvoice, submitInvoice } from '../invoice/write.ts';
import { createReceipt, resubmitReceipt } from '../receipt/write.ts';
import { receiptProcess } from '../receipt/process.ts';
import { receipts } from '../receipt/receipts.ts';
import { dataFolder, openSystem } from '../testing/open-system.ts';
import { openShop } from '../testing/shop.ts';
import { outcomeEvent, registration, rejection } from './testing/outcomes.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
afterAll(() => {
  system.engine.close();
  folder.remove();
});

const items = [
  { description: 'Tea', quantity: 3, unit_price: 9.99, tax_rate: 20, discounts: [{ amount: 1.5 }, { percent: 5 }] },
  { description: 'Returned', quantity: -1, unit_price: 2, tax_rate: 10, charges: [{ amount: 0.3 }] },
];
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof DomainError ? [error.code, ...Object.keys(error.details ?? {})] : error),
  );

/** The process dies after its append number `at`: the append is stored, its caller sees an error. */
function crashing(at: number): DocumentContext {
  let appends = 0;
  const append: DocumentContext['store']['append'] = async (...call) => {
    const answer = await system.store.append(...call);
    if ((appends += 1) >= at) throw new Error('the process is gone');
    return answer;
  };
  return { ...system.context, store: { ...system.store, read: system.store.read.bind(system.store), append } };
}

/** A shop in the country, whose documents of either kind are made, told an outcome and voided in the same words. */
async function shopIn(country: string) {
  const shop = await openShop(system, { country, currency: 'EUR', units: [{ code: 'U1', devices: ['D1'] }] });
  const { account, call } = shop;
  const on = (context = system.context) => ({ ...call(), context });
  const ref = (id: string) => ({ account, env: 'test' as const, id });
  const isInvoice = (id: string) => id.startsWith('inv');
  const documentsOf = (id: string) => (isInvoice(id) ? invoices : receipts);
  const tell = (id: string, name: string, data: object, context = system.context) => {
    const event = outcomeEvent({ id: system.ids.next(), account, subject: id }, name, data);
    return isInvoice(id) ? invoiceProcess.applyOutcome(context, event) : receiptProcess.applyOutcome(context, event);
  };
  const requestVoid = (id: string, context = system.context) =>
    (isInvoice(id) ? invoiceProcess.void : (receiptProcess.void as unknown as typeof invoiceProcess.void))(on(context), {
      ...{ id, ifMatch: undefined, reason: 'Wrong customer' },
    });
  const read = (id: string) => (documentsOf(id) as typeof invoices).read(on(), id);
  return {
    ...{ ...shop, on, ref, tell, read, requestVoid },
    register: (id: string, context = system.context) => tell(id, 'document-registered', registration, context),
    reject: (id: string) => tell(id, 'document-rejected', rejection('data')),
    finish: (id: string) => (isInvoice(id) ? invoiceProcess : receiptProcess).finish(system.context, ref(id)),
    /** Finishes those of them that the job has a row for, as their events say. */
    async finishFound(...ids: string[]): Promise<void> {
      for (const id of ids) {
        const process = isInvoice(id) ? invoiceProcess : receiptProcess;
        const steps = (await system.store.read(documentsOf(id).stream(ref(id)))).flatMap((event) => process.afterEvent(event) ?? []);
        if (steps.at(-1) === 'open') await process.finish(system.context, ref(id));
      }
    },
    events: async (id: string) =>
      (await system.store.read(documentsOf(id).stream(ref(id)))).map(({ type }) => type.replace(/^Invoice|^Receipt/, '')),
    history: async (id: string) => {
      const history = await documentsOf(id).history(on(), id);
      const entries = await Array.fromAsync(history.entries({ from: 0, to: history.total }, async () => undefined));
      return entries.map(({ type }) => type);
    },
    /** A registered document. */
    async issued(kind: 'invoice' | 'receipt', more: object = {}): Promise<string> {
      const id = kind === 'invoice' ? (await shop.invoice({ items, ...more })).id : (await shop.receipt({ items, ...more })).id;
      await tell(id, 'document-registered', registration);
      return id;
    },
    correctiveOf: async (id: string): Promise<string> => (await read(id)).void?.document_id as string,
  };
}

const kinds = ['invoice', 'receipt'] as const;
const places = ['AL', 'ME'].flatMap((country) => kinds.map((kind) => [kind, country] as const));

describe.each(places)('a void of a registered %s in %s', (kind, country) => {
  const terms = { items: items.map((item) => ({ ...item, tax_rate: country === 'AL' ? 20 : 21 })) };

  test('makes a corrective with a number of its own, and is complete once that is registered', async () => {
    const s = await shopIn(country);
    const id = await s.issued(kind, terms);
    const before = await s.read(id);
    expect(await s.requestVoid(id)).toMatchObject({ status: 'voiding', void: { document_id: expect.any(String), voided_at: null } });
    const corrective = await s.correctiveOf(id);
    const shown = await s.read(corrective);
    const device = kind === 'receipt' ? '/D1' : '';
    expect(shown).toMatchObject({
      ...{ type: 'corrective', corrects: id, number: `2/${new Date().getUTCFullYear()}${device}`, total: -before.total },
      ...{ subtotal: -before.subtotal, tax_total: -before.tax_total, customer: before.customer, issuer: before.issuer },
      ...{ series: before.series, available_actions: [], fiscal: { status: 'pending', authority: 'sandbox' } },
      items: before.items.map(({ quantity, unit_price, amount }) => ({ quantity: -quantity, unit_price, amount: -amount })),
    });
    await s.register(corrective);
    expect(await s.read(id)).toMatchObject({
      ...{ status: 'voided', total: before.total, fiscal: { status: 'registered' } },
      void: { document_id: corrective, voided_at: expect.any(String), error: null },
    });
    expect((await s.history(id)).slice(-2)).toEqual(['void_requested', 'voided']);
    expect(await s.history(corrective)).toEqual(
      kind === 'invoice' ? ['created', 'submission_requested', 'numbered', 'registered'] : ['created', 'registered'],
    );
  });

  test('is refused where the corrective is rejected, and another one follows with another void', async () => {
    const s = await shopIn(country);
    const id = await s.issued(kind, terms);
    await s.requestVoid(id);
    const first = await s.correctiveOf(id);
    await s.reject(first);
    expect(await s.read(id)).toMatchObject({
      status: kind === 'invoice' ? 'submitted' : 'issued',
      void: { document_id: first, voided_at: null, error: { code: 'E1', message: 'no' } },
    });
    expect((await s.history(id)).at(-1)).toBe('void_refused');
    await s.requestVoid(id);
    const second = await s.correctiveOf(id);
    expect(second).not.toBe(first);
    expect(await s.read(id)).toMatchObject({ status: 'voiding', void: { error: null } });
    await s.reject(first);
    await s.register(first);
    expect(await s.read(id)).toMatchObject({ status: 'voiding' });
    await s.register(second);
    expect(await s.read(id)).toMatchObject({ status: 'voided', void: { document_id: second } });
  });

  test('stays open while the outcome of the corrective is not known, and makes no second one', async () => {
    const s = await shopIn(country);
    const id = await s.issued(kind, terms);
    await Promise.all([s.requestVoid(id), s.requestVoid(id), s.requestVoid(id)]);
    const corrective = await s.correctiveOf(id);
    await s.tell(corrective, 'document-delayed', { round: 1, status: 'needs_review', error: null, next_attempt_at: null });
    await Promise.all([s.requestVoid(id), s.finish(id), s.finish(corrective)]);
    expect(await s.read(id)).toMatchObject({ status: 'voiding', void: { document_id: corrective } });
    expect(await s.read(corrective)).toMatchObject({ available_actions: ['resolve'], number: expect.stringMatching(/^2\//) });
  });

  test('needs neither the customer nor the units that the issuer had', async () => {
    const s = await shopIn(country);
    const toJo = { ...terms, customer_id: s.customer_id };
    const [deleted, erased] = [await s.issued(kind, toJo), await s.issued(kind, toJo)];
    const before = await s.read(deleted);
    const named = { id: s.customer_id, ifMatch: undefined };
    await deleteCustomer({ ...s.on(), customers: system.customers }, named);
    await s.requestVoid(deleted);
    await eraseCustomer({ ...s.on(), customers: system.customers }, named);
    await s.set({ units: [] });
    await s.requestVoid(erased);
    for (const id of [deleted, erased]) {
      const corrective = await s.correctiveOf(id);
      await s.register(corrective);
      expect(await s.read(corrective)).toMatchObject({ customer: before.customer });
      expect(await s.read(id)).toMatchObject({ status: 'voided' });
    }
  });

  test.each([1, 2, 3, 4, 5])('is completed by whoever goes on where a process died after append %i, with one corrective', async (at) => {
    const s = await shopIn(country);
    const id = await s.issued(kind, terms);
    await refusal(s.requestVoid(id, crashing(at)));
    const corrective = await s.correctiveOf(id);
    await Promise.all([1, 2, 3].map(() => s.finishFound(id, corrective)));
    expect(await s.read(corrective)).toMatchObject({ number: expect.stringMatching(/^2\//), fiscal: { status: 'pending' } });
    await refusal(s.register(corrective, crashing(1)));
    await Promise.all([1, 2, 3].map(() => s.finishFound(corrective)));
    expect(await s.read(id)).toMatchObject({ status: 'voided', void: { document_id: corrective } });
    expect((await s.events(id)).filter((type) => type === 'ReversalRequested')).toHaveLength(1);
    expect((await s.read(await s.issued(kind, terms))).number).toMatch(/^3\//);
  });

  test('leaves the document as it was where its corrective takes no number', async () => {
    const s = await shopIn(country);
    const id = await s.issued(kind, terms);
    const failing = { ...system.context, sequence: { ...system.context.sequence, take: () => Promise.reject(new Error('gone')) } };
    await s.requestVoid(id, failing);
    const corrective = await s.correctiveOf(id);
    const { finish } = kind === 'invoice' ? invoiceProcess : receiptProcess;
    const take = async () => new DomainError('validation_error', 'taken', { series: ['has numbers of another.'] });
    await finish({ ...system.context, sequence: { ...system.context.sequence, take: take as never } }, s.ref(corrective));
    expect(await s.read(id)).toMatchObject({
      status: kind === 'invoice' ? 'submitted' : 'issued',
      void: { error: { code: 'validation_error', message: expect.stringContaining('series has numbers of another.') } },
    });
    if (kind === 'invoice') expect(await s.read(corrective)).toMatchObject({ status: 'voided', number: null, available_actions: [] });
    else expect(await refusal(s.read(corrective))).toEqual(['not_found']);
    await s.requestVoid(id);
    expect(await s.read(await s.correctiveOf(id))).toMatchObject({ number: expect.stringMatching(/^2\//) });
  });
});

test.each(kinds)('a void of a %s that a backup holds without its corrective is refused: the authority may have that', async (kind) => {
  const s = await shopIn('AL');
  const id = await s.issued(kind);
  await refusal(s.requestVoid(id, crashing(1)));
  const restored = { ...system.context, restored: { until: await system.store.head(), at: 0 } } as unknown as DocumentContext;
  const { finish } = kind === 'invoice' ? invoiceProcess : receiptProcess;
  await finish(restored, s.ref(id));
  expect(await s.read(id)).toMatchObject({
    void: { voided_at: null, error: { message: expect.stringContaining('restored from a backup') } },
  });
  await s.requestVoid(id, restored);
  expect(await s.read(await s.correctiveOf(id))).toMatchObject({ type: 'corrective', number: expect.stringMatching(/^2\//) });
});

test.each(kinds)('%s: a repeated request is answered while the corrective of its void takes no number', async (kind) => {
  const s = await shopIn('AL');
  const call = s.on();
  const draft = kind === 'invoice' ? (await createInvoice(s.on(), { customer_id: s.customer_id, items })).id : '';
  const ask = (on: ReturnType<typeof s.on>): Promise<{ id: string; status: string }> =>
    kind === 'invoice'
      ? submitInvoice(on, { id: draft, ifMatch: undefined, lateReason: null })
      : createReceipt(on, { items, payment_method: 'cash' });
  const { id } = await ask(call);
  await s.register(id);
  const gone = { ...system.context, sequence: { ...system.context.sequence, take: () => Promise.reject(new Error('gone')) } };
  await s.requestVoid(id, gone);
  expect(await ask({ ...call, context: gone })).toMatchObject({ id, status: 'voiding' });
});

test('an annulment goes on in every other country', async () => {
  const s = await shopIn('FR');
  for (const kind of kinds) {
    const id = await s.issued(kind);
    await s.requestVoid(id);
    expect(await s.read(id)).toMatchObject({ status: 'voiding', void: { document_id: null } });
    expect(await s.events(id)).toContain('VoidRequested');
  }
});

test('the country that is frozen in the document decides, not the one that the issuer has now', async () => {
  const s = await shopIn('AL');
  const id = await s.issued('invoice');
  await s.set({ country: 'FR' });
  const french = await s.issued('invoice');
  await s.requestVoid(id);
  await s.requestVoid(french);
  expect(await s.read(id)).toMatchObject({ status: 'voiding', void: { document_id: expect.any(String) } });
  expect(await s.read(french)).toMatchObject({ status: 'voiding', void: { document_id: null } });
});

describe('a void of a receipt whose registration is open', () => {
  test('is carried out by a corrective once it is registered, also by the job', async () => {
    const s = await shopIn('AL');
    const { id } = await s.receipt();
    expect(await s.requestVoid(id)).toMatchObject({ status: 'voiding', void: { document_id: null } });
    await s.finish(id);
    await refusal(s.register(id, crashing(1)));
    await s.finish(id);
    const corrective = await s.correctiveOf(id);
    expect(await s.read(corrective)).toMatchObject({ type: 'corrective', corrects: id, number: expect.stringMatching(/^2\//) });
    await s.register(corrective);
    expect(await s.read(id)).toMatchObject({ status: 'voided', void: { document_id: corrective } });
  });

  test('is complete once it is rejected, and names no corrective', async () => {
    const s = await shopIn('AL');
    const { id } = await s.receipt();
    await s.requestVoid(id);
    await s.reject(id);
    expect(await s.read(id)).toMatchObject({ status: 'voided', void: { document_id: null } });
  });
});

describe('what carries out a void', () => {
  async function reversal(kind: 'invoice' | 'receipt', ending: 'register' | 'reject' | null) {
    const s = await shopIn('AL');
    const original = await s.issued(kind);
    await s.requestVoid(original);
    const id = await s.correctiveOf(original);
    if (ending) await s[ending](id);
    return { s, original, id, named: { id, ifMatch: undefined } };
  }

  test.each(['register', 'reject'] as const)('is not voided, submitted or changed by a caller: invoice, %s', async (ending) => {
    const { s, id, named, original } = await reversal('invoice', ending);
    const payment = { amount: 1, paid_at: '2026-01-01' };
    const payment_status = ending === 'register' ? 'paid' : null;
    expect(await s.read(id)).toMatchObject({ amount_due: 0, payment_status, voids: original, available_actions: [] });
    expect(await refusal(s.requestVoid(id))).toEqual(['invalid_state']);
    expect(await refusal(reviseInvoice(s.on(), { ...named, body: { notes: 'x' } }))).toEqual(['invalid_state']);
    expect(await refusal(recordPayment(s.on(), { ...named, body: payment }))).toEqual(['invalid_state']);
    if (ending === 'reject') expect(await refusal(submitInvoice(s.on(), { ...named, lateReason: null }))).toEqual(['invalid_state']);
    const note = createInvoice(s.on(), { customer_id: s.customer_id, items, type: 'credit_note', corrects: id });
    expect(await refusal(note)).toEqual(['validation_error', 'corrects']);
    expect(await refusal(reviseInvoice(s.on(), { ...named, body: { metadata: { a: 'b' } } }))).toBe('done');
  });

  test.each(['register', 'reject'] as const)('is not voided or sent again by a caller: receipt, %s', async (ending) => {
    const { s, id, named, original } = await reversal('receipt', ending);
    expect(await s.read(id)).toMatchObject({ corrects: original, payments: [{ method: 'cash' }], available_actions: [] });
    expect(await refusal(s.requestVoid(id))).toEqual(['invalid_state']);
    expect(await refusal(resubmitReceipt(s.on(), named))).toEqual(['invalid_state']);
  });
});

test('payments and corrections keep an invoice from being voided; it takes none while it is voided', async () => {
  const s = await shopIn('AL');
  const terms = { items: [{ description: 'x', unit_price: 100, tax_rate: 20 }] };
  const id = await s.issued('invoice', terms);
  const named = { id, ifMatch: undefined };
  const paid = await recordPayment(s.on(), { ...named, body: { amount: 5, paid_at: '2026-01-01' } });
  expect(await refusal(s.requestVoid(id))).toEqual(['invalid_state']);
  await reversePayment(s.on(), { ...named, payment: paid.id });
  const draft = async () => (await createInvoice(s.on(), { customer_id: s.customer_id, ...terms, type: 'credit_note', corrects: id })).id;
  const [note, late] = [await draft(), await draft()];
  await s.submit(note);
  expect(await refusal(s.requestVoid(id))).toEqual(['invalid_state']);
  await s.reject(note);
  await s.requestVoid(id);
  expect(await refusal(s.submit(late))).toEqual(['validation_error', 'corrects']);
  await s.reject(await s.correctiveOf(id));
  expect(await refusal(s.submit(late))).toBe('done');
});

test('a credit note that is voided by a corrective frees what it held once that is registered', async () => {
  const s = await shopIn('AL');
  const terms = { items: [{ description: 'x', unit_price: 100, tax_rate: 20 }] };
  const original = await s.issued('invoice', terms);
  const note = await s.issued('invoice', { ...terms, type: 'credit_note', corrects: original });
  expect(await s.read(original)).toMatchObject({ amount_credited: 120 });
  await s.requestVoid(note);
  expect(await s.read(original)).toMatchObject({ amount_credited: 120 });
  const corrective = await s.correctiveOf(note);
  await s.register(corrective);
  expect(await s.read(note)).toMatchObject({ status: 'voided' });
  expect(await s.read(corrective)).toMatchObject({ type: 'corrective', corrects: note, total: -120, amount_due: 0 });
  expect(await s.read(original)).toMatchObject({ amount_credited: 0, available_actions: ['void', 'record_payment'] });
});

test('the corrective has the metadata of its original; a void that is to be refused has it rejected', async () => {
  const s = await shopIn('AL');
  const id = await s.issued('invoice', { metadata: { simulate: 'refuse_void', order: 'A-1' } });
  await s.requestVoid(id);
  expect(await s.read(await s.correctiveOf(id))).toMatchObject({ metadata: { simulate: 'reject', order: 'A-1' } });
});
