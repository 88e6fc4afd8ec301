import { CERTIFIED_HEADER, type Certified, certifiedText } from '@svc/contracts/credentials/certified-header';
import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import { NO_CERTIFICATE } from '@svc/contracts/issuer/setup';
import { DomainError, FakeClock, iso, type Details, type Env } from '@svc/kernel';
import { lackingOf } from '@svc/service/process/authority-settings';
import { createCustomer } from '../customer/write.ts';
import { certifiedOfRequest } from '../document/http.ts';
import type { DocumentContext } from '../document/context.ts';
import { outcomeEvent, registration } from '../document/testing/outcomes.ts';
import { createInvoice, invoices } from '../invoice/invoices.ts';
import { submitInvoice } from '../invoice/write.ts';
import { closedSeries, seriesRowIndexes, type SeriesRow } from '../numbering/series.ts';
import { receiptProcess } from '../receipt/process.ts';
import { createReceipt } from '../receipt/write.ts';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import { setupOf } from './domain/setup.ts';
import { updateIssuer } from './update.ts';

const folder = dataFolder();
const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
const system = openSystem(folder.path, clock);
const { issuers, customers } = system;
afterAll(() => {
  system.engine.close();
  folder.remove();
});

const bare: DocumentContext = { ...system.context, lacking: { live: lackingOf({}), test: {} } };
const items = [{ description: 'Tea', unit_price: 10 }];

/** A new account, whose issuer has these settings alone. */
async function officeOf(patch: UpdateIssuer, { env = 'live' as Env, certified = [] as Certified, context = system.context } = {}) {
  const account = `acct_${system.ids.next()}`;
  const call = () => ({ context, identity: callerOf(system, account, env), certified: async () => certified });
  const set = (body: UpdateIssuer) => updateIssuer({ ...call(), issuers }, { ifMatch: undefined, patch: body });
  await set(patch);
  const { id: customer_id } = await createCustomer({ ...call(), customers }, { name: 'Jo', tax_id: 'B12345674' });
  const { id } = await createInvoice(call(), { customer_id, items });
  const submit = () => submitInvoice(call(), { id, ifMatch: undefined, lateReason: null });
  const receipt = () => createReceipt(call(), { items, payment_method: 'cash' });
  const setup = async () =>
    setupOf(await issuers.of(account, env), { closed: await context.closedSeries.closedOf({ account, env }), lacking: context.lacking });
  return { account, call, set, id, submit, receipt, setup, number: async () => (await invoices.read(call(), id)).number };
}

async function refusalOf(work: Promise<unknown>): Promise<Details> {
  const error = await work.catch((reason: unknown) => reason);
  if (error instanceof DomainError && error.code === 'validation_error') return error.details ?? {};
  throw new Error('it is not refused', { cause: error });
}

const spanish = {
  ...{ country: 'ES', currency: 'EUR', legal_name: 'Heron SL', tax_id: 'B12345674', authority: 'es-verifactu' },
  address: { line1: 'Calle 1', city: 'Madrid', postal_code: '28001', country: 'ES' },
} satisfies UpdateIssuer;

test.each<[string, UpdateIssuer]>([
  ['none', {}],
  ['al-cis', { country: 'AL', authority: 'al-cis', units: [{ code: 'shop', devices: ['T1'] }] }],
  ['me-efi', { country: 'ME', authority: 'me-efi', units: [{ code: 'shop', devices: ['T1'] }] }],
  ['es-verifactu', { country: 'ES', authority: 'es-verifactu', tax_regime: '99' }],
])('each row of the setup of a live issuer refuses documents in the same words, before a number is spent: %s', async (_, patch) => {
  const office = await officeOf(patch, { context: bare });
  const rows = (await office.setup()).steps.flatMap(({ missing }) => missing);
  const certificate = patch.authority === undefined ? [] : [NO_CERTIFICATE];
  expect(rows.length).toBeGreaterThan(2);
  const refusals = [await refusalOf(office.submit()), await refusalOf(office.receipt())];
  const said = (field: string) => refusals.flatMap((details) => details[`issuer.${field}`] ?? []);
  for (const { field, message } of [...rows, ...certificate])
    expect([field, said(field)]).toEqual([field, expect.arrayContaining([expect.stringContaining(message)])]);
  expect(await office.number()).toBeNull();
});

test('a series that is closed after a restore refuses in the words of the setup', async () => {
  const rows = system.documents.collection<SeriesRow>('series_after_restore', { indexes: seriesRowIndexes });
  const restored = { at: iso(clock.now() + 86_400_000), until: 0n };
  const office = await officeOf({}, { env: 'test', context: { ...system.context, closedSeries: closedSeries(restored, rows) } });
  const refused = (await office.submit().catch((error: unknown) => error)) as DomainError;
  const [row] = (await office.setup()).steps.flatMap(({ missing }) => missing);
  expect([row?.field, refused.code]).toEqual(['series.INV', 'service_unavailable']);
  expect(refused.message).toContain(row?.message);
});

test.each<[Certified, string]>([
  [{ subject: 'CN=Heron, serialNumber=IDCES-B12345674' }, 'its own'],
  [{ subject: 'CN=Egret, serialNumber=IDCES-A87654321' }, 'that of a representative'],
  [['es-verifactu'], 'that of the installation'],
])('a certificate is enough, valid or ended: %j, %s', async (certified) => {
  const office = await officeOf(spanish, { certified });
  expect(await office.submit()).toMatchObject({ status: 'submitting' });
});

test('a certificate of the installation for another authority is none', async () => {
  const office = await officeOf(spanish, { certified: ['al-cis'] });
  expect(await refusalOf(office.submit())).toEqual({ 'issuer.certificate': [NO_CERTIFICATE.message] });
  expect(await office.number()).toBeNull();
});

const albanian = {
  ...{ country: 'AL', currency: 'ALL', authority: 'al-cis', legal_name: 'Heron', tax_id: 'K72410014D', software_code: 'ss123ss123' },
  address: { line1: 'Rruga 1', city: 'Tirana', postal_code: '1001', country: 'AL' },
  units: [{ code: 'bb123bb123', devices: ['T1'] }],
  devices: [{ code: 'T1', unit: 'bb123bb123', authority_code: 'cc123cc123' }],
  operators: [{ code: 'oo123oo123', name: 'Ada' }],
} satisfies UpdateIssuer;

test('a certificate that names another taxpayer refuses invoices and receipts before a number is spent', async () => {
  const office = await officeOf(albanian, { certified: { subject: 'C=AL, CN=Çelësi, serialNumber=K72410099X' } });
  const refused = { 'issuer.certificate': [expect.stringContaining('names K72410099X, and the issuer is K72410014D')] };
  expect(await refusalOf(office.submit())).toEqual(refused);
  expect(await refusalOf(office.receipt())).toEqual(refused);
  expect(await office.number()).toBeNull();
});

test.each([
  ['unit', { unit: 'nowhere' }],
  ['device', { device: 'T9' }],
  ['operator', { operator: 'other' }],
])('a %s that the issuer does not have is said of the document, and not of the issuer', async (part, given) => {
  const office = await officeOf(albanian, { certified: { subject: 'CN=K72410014D' } });
  const { id: customer_id } = await createCustomer({ ...office.call(), customers }, { name: 'Jo', tax_id: 'K72410014D' });
  const { id } = await createInvoice(office.call(), { customer_id, items, ...given });
  const refusals = [
    await refusalOf(createReceipt(office.call(), { items, payment_method: 'cash', ...given })),
    await refusalOf(submitInvoice(office.call(), { id, ifMatch: undefined, lateReason: null })),
  ];
  for (const details of refusals) {
    expect(details).toHaveProperty(part);
    expect(Object.keys(details).filter((field) => field.startsWith('issuer.'))).toEqual([]);
  }
});

test('a void whose corrective would take a number is refused too, and the document stays registered', async () => {
  const office = await officeOf(albanian, { certified: { subject: 'CN=K72410014D' } });
  const { id } = await office.receipt();
  const of = { id: system.ids.next(), account: office.account, subject: id };
  await receiptProcess.applyOutcome(system.context, { ...outcomeEvent(of, 'document-registered', registration), env: 'live' });
  const without = { ...office.call(), certified: async () => [] };
  const named = { id, ifMatch: undefined, reason: 'wrong till' };
  expect(await refusalOf(receiptProcess.void(without, named))).toEqual({ 'issuer.certificate': [NO_CERTIFICATE.message] });
  expect(await receiptProcess.void(office.call(), named)).toMatchObject({ status: 'voiding' });
});

test('what is known of certificates is of this process, else of the header, and nothing of test documents', async () => {
  const asked = (env: Env, headers: object = {}, certifiedOf?: DocumentContext['certifiedOf']) =>
    certifiedOfRequest({ certifiedOf }, { identity: callerOf(system, undefined, env), headers } as never);
  const header = { [CERTIFIED_HEADER]: certifiedText(['es-verifactu']) };
  const own = { subject: 'CN=Çelësi' };
  expect(await asked('live', header)).toEqual(['es-verifactu']);
  expect(await asked('live')).toBeUndefined();
  expect(await asked('test', header)).toBeUndefined();
  expect(await asked('live', { [CERTIFIED_HEADER]: certifiedText(own) })).toEqual(own);
  expect(await asked('live', header, async () => own)).toBe(own);
});
