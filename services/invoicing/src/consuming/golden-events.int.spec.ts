import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import type {
  CancellationRefused,
  DocumentAmended,
  DocumentCancelled,
  DocumentDelayed,
  DocumentPrepared,
  DocumentRegistered,
  DocumentRejected,
  DeviceRefused,
  DeviceRegistered,
} from '@svc/contracts/registration/outcome';
import type { Device } from '@svc/contracts/issuer/device';
import { goldenEvents } from '@svc/contracts/testing/golden';
import { createCustomer } from '../customer/write.ts';
import { outcomeEvent, registration } from '../document/testing/outcomes.ts';
import { createInvoice, invoices } from '../invoice/invoices.ts';
import { invoiceProcess } from '../invoice/process.ts';
import { submitInvoice } from '../invoice/write.ts';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import { registerDevice } from '../issuer/register-device.ts';
import { issuerResource } from '../issuer/resource.ts';
import { updateIssuer } from '../issuer/update.ts';
import { FiscalRegistrationConsumer } from './fiscal-registration.ts';

const golden = goldenEvents(topics.fiscalRegistration) as PublicEvent<{ kind: string; document_id: string }>[];

const folder = dataFolder();
const system = openSystem(folder.path);
const { context, ids } = system;
afterAll(() => {
  system.engine.close();
  folder.remove();
});

const call = () => ({ context, identity: callerOf(system) });
const consumer = new FiscalRegistrationConsumer(context, system.issuers);

/** An invoice that waits for the authority. */
async function submitting(): Promise<string> {
  const customer = await createCustomer({ ...call(), customers: system.customers }, { name: 'Ana' });
  const { id } = await createInvoice(call(), { customer_id: customer.id, items: [{ description: 'Consulting', unit_price: 10 }] });
  await submitInvoice(call(), { id, ifMatch: undefined, lateReason: null });
  return id;
}

/** A registered invoice that waits to be void. */
async function voiding(): Promise<string> {
  const id = await submitting();
  const of = { id: ids.next(), account: callerOf(system).account, subject: id };
  await consumer.on([outcomeEvent(of, 'document-registered', registration) as (typeof golden)[number]]);
  await invoiceProcess.void(call(), { id, ifMatch: undefined, reason: 'Wrong customer' });
  return id;
}

/** The invoice after the golden event, which is about it instead of its own document. */
async function after(event: (typeof golden)[number], id: string): Promise<InvoiceResource> {
  const { account, env } = callerOf(system);
  await consumer.on([{ ...event, account, env, subject: id, data: { ...event.data, ...{ document_id: id, kind: 'invoice' } } }]);
  return invoices.read(call(), id);
}

/** What is no outcome. */
async function changesNothing(event: (typeof golden)[number]): Promise<void> {
  const id = await submitting();
  const before = await invoices.read(call(), id);
  expect(await after(event, id)).toEqual(before);
}

const effects: Record<string, (event: (typeof golden)[number]) => Promise<void>> = {
  async 'fiscal.document-registered.v1'(event) {
    const { code, registered_at, verification_url, late, attempts } = event.data as object as DocumentRegistered;
    expect(await after(event, await submitting())).toMatchObject({
      status: 'submitted',
      fiscal_code: code,
      fiscal: { status: 'registered', code, registered_at, verification_url, late, attempts },
    });
  },
  async 'fiscal.document-rejected.v1'(event) {
    const { error } = event.data as object as DocumentRejected;
    expect(await after(event, await submitting())).toMatchObject({ status: 'failed', fiscal: { status: 'rejected', error } });
  },
  async 'fiscal.document-amended.v1'(event) {
    const { warnings, attempts } = event.data as object as DocumentAmended;
    const id = await submitting();
    const registered = golden.find(({ type }) => type === 'fiscal.document-registered.v1') as typeof event;
    const { code } = registered.data as object as DocumentRegistered;
    const data = { ...registered.data, attempts: attempts - 1 };
    await after({ ...registered, data }, id);
    expect(await after(event, id)).toMatchObject({ status: 'submitted', fiscal: { status: 'registered', code, warnings, attempts } });
  },
  async 'fiscal.document-prepared.v1'(event) {
    const { issuer_code, verification_url } = event.data as object as DocumentPrepared;
    expect(await after(event, await submitting())).toMatchObject({
      ...{ status: 'submitting', fiscal_code: null },
      fiscal: { status: 'pending', code: null, issuer_code, verification_url },
    });
  },
  async 'fiscal.document-delayed.v1'(event) {
    const { status, error, next_attempt_at } = event.data as object as DocumentDelayed;
    expect(await after(event, await submitting())).toMatchObject({ status: 'submitting', fiscal: { status, error, next_attempt_at } });
  },
  async 'fiscal.document-cancelled.v1'(event) {
    const { attempts } = event.data as object as DocumentCancelled;
    expect(await after(event, await voiding())).toMatchObject({ status: 'voided', fiscal: { status: 'cancelled', attempts } });
  },
  async 'fiscal.cancellation-refused.v1'(event) {
    const { error } = event.data as object as CancellationRefused;
    const { code, message } = error;
    expect(await after(event, await voiding())).toMatchObject({ status: 'submitted', void: { error: { code, message } } });
  },
  async 'fiscal.device-registered.v1'(event) {
    const { authority_code } = event.data as object as DeviceRegistered;
    expect(await afterOfTill(event)).toMatchObject({ state: 'registered', authority_code });
  },
  async 'fiscal.device-refused.v1'(event) {
    const { error } = event.data as object as DeviceRefused;
    expect(await afterOfTill(event)).toMatchObject({ state: 'refused', error });
  },
  'fiscal.certificate-expiring.v1': changesNothing,
  'fiscal.document-deadline-near.v1': changesNothing,
};

/** The till that the golden event names, whose registration waits. */
async function afterOfTill(event: (typeof golden)[number]): Promise<Device | undefined> {
  const { issuers } = system;
  const { unit, device_code: code } = event.data as object as DeviceRegistered;
  const account = `acct_${ids.next()}`;
  const caller = () => callerOf(system, account);
  const patch = (body: object) => updateIssuer({ context, issuers, identity: caller() }, { ifMatch: undefined, patch: body });
  await patch({ authority: 'al-cis', country: 'AL', units: [{ code: unit, devices: ['FIRST', code] }] });
  await patch({ devices: [{ code: 'FIRST', authority_code: 'aa123aa123' }] });
  await registerDevice({ issuers, clock: context.clock }, caller(), { code });
  await consumer.on([{ ...event, account, env: 'test' }]);
  const { state, version } = await issuers.current(account, 'test');
  return issuerResource(state, version, { closed: [], lacking: { live: {}, test: {} } }).devices.find((one) => one.code === code);
}

test.each(golden.map((event) => [event.type, event] as const))('%s has its effect', async (type, event) => {
  const effect = effects[type];
  if (!effect) throw new Error(`no effect is known of ${type}: add what the event does`);
  await effect(event);
});

test('there is a golden event of each type', () => {
  expect(new Set(golden.map(({ type }) => type))).toEqual(new Set(Object.keys(effects)));
});
