import { jsonBytes, prefixed } from '@svc/kernel';
import { createCustomer } from './customer/write.ts';
import type { InvoiceEvent } from './invoice/domain/events.ts';
import { evolve } from './invoice/domain/evolve.ts';
import { invoices } from './invoice/invoices.ts';
import { invoiceResource } from './invoice/resource.ts';
import { reviseInvoice } from './invoice/write.ts';
import { updateIssuer } from './issuer/update.ts';
import { callerOf, dataFolder, openSystem } from './testing/open-system.ts';
import { itemsOf } from '@svc/totals/line';
import { totalsOf } from '@svc/totals/totals';

const KiB = 1_024;
const LINES = 500;

const folder = dataFolder();
const system = openSystem(folder.path);
afterAll(() => {
  system.engine.close();
  folder.remove();
});
const { context, customers, issuers, ids, store } = system;
const at = '2026-01-16T12:00:00.000Z';
const account = `acct_${ids.next()}`;
const env = 'test' as const;
const call = () => ({ context, customers, issuers, identity: callerOf(system, account) });

let customer_id: string;
beforeAll(async () => {
  await updateIssuer(call(), { ifMatch: undefined, patch: { legal_name: 'Blue Heron' } });
  customer_id = (await createCustomer(call(), { name: 'Jo' })).id;
});

/** Lines with three different taxes each. `length`: of every description. */
const linesOf = (length: number, lines = LINES, taxes = 3) =>
  Array.from({ length: lines }, (_, n) => ({
    description: 'x'.repeat(length),
    unit_price: 1,
    taxes: Array.from({ length: taxes }, (_tax, at) => ({ category: `T${n}_${at}`, rate: 1 })),
  }));

const blank = { discounts: [], charges: [], currency: 'EUR', prices_include_tax: false, rounding: 'line' as const, notes: 'note' };
function drafted(id: string, length: number): Extract<InvoiceEvent, { type: 'InvoiceDrafted' }> {
  const written = { ...blank, customer_id, items: itemsOf(linesOf(length), '0'), metadata: { a: 'b'.repeat(500) } };
  const more = { type: 'standard' as const, series: 'INV', issue_date: null, due_date: null, corrects: null };
  const totals = totalsOf({ ...written, decimals: 2 });
  return { type: 'InvoiceDrafted', data: { at, id, livemode: false, content: { ...written, ...more }, totals } };
}
const sizeOf = (length: number): number => jsonBytes(invoiceResource(evolve(null, drafted('inv_01jh2k3m4n5p6q7r8s9t0v1w2x', length))!, 1));
/** Length of a description that makes the resource about this large. */
const lengthFor = (bytes: number): number => Math.floor((bytes - sizeOf(0)) / LINES);

async function storedDraft(bytes: number): Promise<string> {
  const id = prefixed('inv', ids.next());
  const { type, data } = drafted(id, lengthFor(bytes));
  await store.append(invoices.stream({ account, env, id }), 'none', [{ id: ids.next(), type, data, metadata: { v: 1, account, env } }]);
  return id;
}
const refused = (field: string, message: string) => ({
  code: 'validation_error',
  details: { [field]: [expect.stringContaining(message)] },
});

test('a document that is larger than what may be written changes without growing', async () => {
  const length = lengthFor(650 * KiB);
  const id = await storedDraft(650 * KiB);
  const revise = (body: object) => reviseInvoice(call(), { id, ifMatch: undefined, body });
  expect(await revise({ notes: 'nota' })).toMatchObject({ version: 2, notes: 'nota' });
  await expect(revise({ notes: 'noted' })).rejects.toMatchObject(refused('notes', '640 KiB'));
  await expect(revise({ items: linesOf(length + 1) })).rejects.toMatchObject(refused('items', '640 KiB'));
  expect((await revise({ items: linesOf(length - 10) })).version).toBe(3);
});

// until 0.3: 0.1.0 takes more than 1,000 taxes
test('a draft with more taxes than are taken today changes, and gets no more of them', async () => {
  const id = await storedDraft(600 * KiB);
  const revise = (body: object) => reviseInvoice(call(), { id, ifMatch: undefined, body });
  await expect(revise({ items: linesOf(0, LINES, 4) })).rejects.toMatchObject(refused('items', '2000 taxes'));
  expect((await revise({ items: linesOf(10) })).tax_breakdown).toHaveLength(1_500);
  expect((await revise({ items: linesOf(0, LINES - 1) })).tax_breakdown).toHaveLength(1_497);
  await expect(revise({ items: linesOf(0) })).rejects.toMatchObject(refused('items', '1500 taxes'));
});
