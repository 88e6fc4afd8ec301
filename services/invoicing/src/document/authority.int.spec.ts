import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import { DomainError, FakeClock } from '@svc/kernel';
import { invoices } from '../invoice/invoices.ts';
import { invoiceProcess } from '../invoice/process.ts';
import { reviseInvoice, submitInvoice } from '../invoice/write.ts';
import { receiptProcess } from '../receipt/process.ts';
import { receipts } from '../receipt/receipts.ts';
import { resubmitReceipt } from '../receipt/write.ts';
import { dataFolder, openSystem } from '../testing/open-system.ts';
import { openShop } from '../testing/shop.ts';
import { outcomeEvent, registration, rejection } from './testing/outcomes.ts';

const folder = dataFolder();
const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
const system = openSystem(folder.path, clock);
afterAll(() => {
  system.engine.close();
  folder.remove();
});

/** A till that the authority knows beside the one that a test issuer begins with. */
const second = { units: [{ code: 'bb123bb123', devices: ['TILL1', 'T2'] }], devices: [{ code: 'T2', authority_code: 'dd123dd123' }] };

async function shopAt(authority: NonNullable<UpdateIssuer['authority']>, patch: UpdateIssuer = {}) {
  const shop = await openShop(system, { authority, ...patch });
  const settle = (id: string, name: string, data: object) =>
    invoiceProcess.applyOutcome(system.context, outcomeEvent({ id: system.ids.next(), account: shop.account, subject: id }, name, data));
  return { ...shop, register: (id: string) => settle(id, 'document-registered', registration), settle };
}

const refusalOf = async (work: Promise<unknown>): Promise<string[]> => {
  const error = await work.catch((reason: unknown) => reason);
  if (error instanceof DomainError && error.code === 'validation_error') return Object.keys(error.details ?? {});
  throw new Error('accepted', { cause: error });
};

test('Albania: invoices and what corrects them share a count, and each till has its own, by the code of the authority', async () => {
  const shop = await shopAt('al-cis', second);
  const first = await shop.invoice();
  await shop.register(first.id);
  const credit = await shop.invoice({ type: 'credit_note', corrects: first.id });
  expect([first.number, credit.number]).toEqual(['1/2026', '2/2026']);
  const tills = [await shop.receipt(), await shop.receipt({ device: 'T2' }), await shop.receipt()];
  expect(tills.map(({ number }) => number)).toEqual(['1/2026/cc123cc123', '1/2026/dd123dd123', '2/2026/cc123cc123']);
});

test('Montenegro: all documents of a till share a count; an invoice names its till, or has the first', async () => {
  const shop = await shopAt('me-efi', second);
  const numbers = [await shop.invoice(), await shop.receipt(), await shop.invoice({ device: 'T2' })].map(({ number }) => number);
  expect(numbers).toEqual(['bb123bb123/1/2026/cc123cc123', 'bb123bb123/2/2026/cc123cc123', 'bb123bb123/1/2026/dd123dd123']);
});

test('a document freezes the till that issued it, with its code, and the installation where records name one', async () => {
  const { issuer, device } = await (await shopAt('me-efi', second)).invoice({ device: 'T2' });
  expect([device, issuer?.devices?.map(({ code, authority_code }) => [code, authority_code])]).toEqual(['T2', [['T2', 'dd123dd123']]]);
  expect((await (await shopAt('es-verifactu')).receipt()).issuer?.installation).toMatch(/^[0-9a-z]{26}$/);
});

test('a document freezes the regime of VAT that its issuer has, and none where that is the general one', async () => {
  const shop = await shopAt('es-verifactu', { tax_regime: '18' });
  expect((await shop.receipt()).issuer).toMatchObject({ tax_regime: '18' });
  expect((await (await shopAt('es-verifactu')).receipt()).issuer).not.toHaveProperty('tax_regime');
});

test('Albania: what takes back more than it sells at one rate, and an export without a customer, are refused before a number is spent', async () => {
  const shop = await shopAt('al-cis');
  const sold = { description: 'Tea', unit_price: 10 };
  const items = [
    { ...sold, quantity: 3 },
    { ...sold, quantity: -1, tax_rate: 6 },
  ];
  expect(await refusalOf(shop.receipt({ items }))).toEqual(['items']);
  expect(await refusalOf(shop.submit(await shop.draft({ items })))).toEqual(['items']);
  const exported = [{ ...sold, taxes: [{ rate: 0, code: 'G' as const, exemption_reason: 'Export' }] }];
  expect(await refusalOf(shop.receipt({ items: exported }))).toEqual(['customer_id']);
  expect((await shop.receipt()).number).toMatch(/^1\//);
});

test('Spain: a receipt over more than 3,000 is refused before a number is spent', async () => {
  const shop = await shopAt('es-verifactu');
  const sold = (unit_price: number) => shop.receipt({ items: [{ description: 'Sofa', unit_price }] });
  expect(await refusalOf(sold(3_000.01))).toEqual(['items']);
  expect((await sold(3_000)).number).toMatch(/0001$/);
});

test('what unit, till and operator the issuer does not have is refused before a number is spent', async () => {
  const { draft, submit, call } = await shopAt('me-efi');
  const id = await draft({ unit: 'X', device: 'Y', operator: 'Z' });
  expect(await refusalOf(submit(id))).toEqual(expect.arrayContaining(['unit', 'device', 'operator']));
  await reviseInvoice(call(), { id, ifMatch: undefined, body: { unit: null, device: null, operator: null } });
  expect((await submit(id)).number).toBe('bb123bb123/1/2026/cc123cc123');
});

test('a till without a code of the authority takes no number, where a document names it', async () => {
  const shop = await shopAt('al-cis', { ...second, devices: [] });
  expect(await refusalOf(shop.receipt({ device: 'T2' }))).toEqual(['issuer.devices']);
  expect((await shop.receipt()).number).toBe('1/2026/cc123cc123');
  expect((await shop.invoice({ device: 'T2' })).number).toBe('1/2026');
});

test('a live issuer is refused for all that its setup lists', async () => {
  const live = { ...system.context, issuers: { of: (account: string) => system.issuers.of(account, 'live') } };
  const { call, draft } = await openShop(system);
  const asked = submitInvoice({ ...call(), context: live }, { id: await draft(), ifMatch: undefined, lateReason: null });
  expect((await refusalOf(asked)).filter((field) => field.startsWith('issuer.')).sort()).toEqual(
    ['address', 'authority', 'country', 'legal_name', 'tax_id'].map((field) => `issuer.${field}`),
  );
});

test('a reason of lateness is taken as the authority knows it, moves the deadline, and goes with the document', async () => {
  const shop = await shopAt('al-cis');
  const submit = (id: string, lateReason: string) => submitInvoice(shop.call(), { id, ifMatch: undefined, lateReason });
  const id = await shop.draft();
  expect(await refusalOf(submit(id, 'the dog ate it'))).toEqual(['late_reason']);
  const { fiscal } = await submit(id, 'no_internet');
  expect(fiscal).toMatchObject({ deadline_at: '2026-07-10T21:59:59.999Z', next: { operation: 'wait' } });
  await shop.register(id);
  const registered = await invoices.read(shop.call(), id);
  expect(registered.fiscal).not.toHaveProperty('deadline_at');
  expect(registered.fiscal).not.toHaveProperty('next');
});

test('a receipt may be sent again for such a reason', async () => {
  const shop = await shopAt('al-cis');
  const { id, fiscal } = await shop.receipt();
  expect(fiscal?.deadline_at).toBe('2026-06-03T12:00:00.000Z');
  const event = outcomeEvent({ id: system.ids.next(), account: shop.account, subject: id }, 'document-rejected', rejection('setup'));
  await receiptProcess.applyOutcome(system.context, event);
  expect((await receipts.read(shop.call(), id)).fiscal?.next?.operation).toBe('submit');
  const again = await resubmitReceipt(shop.call(), { id, ifMatch: undefined, lateReason: 'no_internet' });
  expect(again.fiscal?.deadline_at).toBe('2026-07-10T21:59:59.999Z');
});

test('what the authority warns of is shown, and the step that follows from it', async () => {
  const shop = await shopAt('al-cis');
  const { id } = await shop.invoice();
  const warnings = [{ code: '2001', message: 'The NIF is not known.' }];
  await shop.settle(id, 'document-registered', { ...registration, code_kind: 'csv', warnings });
  const { fiscal } = await invoices.read(shop.call(), id);
  expect(fiscal).toMatchObject({ status: 'registered', code_kind: 'csv', warnings, next: { operation: 'credit_note' } });
});

test('beyond its last window nothing is submitted again: no round is spent', async () => {
  const shop = await shopAt('al-cis');
  const [{ id }, receipt] = [await shop.invoice(), await shop.receipt()];
  await shop.settle(id, 'document-rejected', rejection('setup'));
  await receiptProcess.applyOutcome(
    system.context,
    outcomeEvent({ id: system.ids.next(), account: shop.account, subject: receipt.id }, 'document-rejected', rejection('setup')),
  );
  await clock.advance(40 * 86_400_000);
  const refused = expect.objectContaining({ code: 'invalid_state', message: expect.stringContaining('until 2026-07-10T21:59:59.999Z.') });
  const late = { ifMatch: undefined, lateReason: 'no_internet' };
  await expect(submitInvoice(shop.call(), { id, ...late })).rejects.toEqual(refused);
  await expect(resubmitReceipt(shop.call(), { id: receipt.id, ...late })).rejects.toEqual(refused);
  expect(await invoices.read(shop.call(), id)).toMatchObject({ status: 'failed' });
});
