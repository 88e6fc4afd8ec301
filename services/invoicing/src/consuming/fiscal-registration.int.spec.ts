import type { PublicEvent } from '@svc/contracts/events/envelope';
import { UnknownEvent } from '@svc/kernel';
import { createCustomer } from '../customer/write.ts';
import { outcomeEvent, registration } from '../document/testing/outcomes.ts';
import { createInvoice, invoices } from '../invoice/invoices.ts';
import { submitInvoice } from '../invoice/write.ts';
import { createReceipt } from '../receipt/write.ts';
import { receipts } from '../receipt/receipts.ts';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import { FiscalRegistrationConsumer } from './fiscal-registration.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
const { context, ids } = system;
afterAll(() => {
  system.engine.close();
  folder.remove();
});

const call = () => ({ context, identity: { ...callerOf(system), commandId: ids.next() } });
const consumer = new FiscalRegistrationConsumer(context, system.issuers);

async function submitted(): Promise<string> {
  const customer = await createCustomer({ ...call(), customers: system.customers }, { name: 'Ana' });
  const items = [{ description: 'Consulting', unit_price: 10 }];
  const { id } = await createInvoice(call(), { customer_id: customer.id, items });
  await submitInvoice(call(), { id, ifMatch: undefined, lateReason: null });
  return id;
}

const registered = (subject: string, over: object = {}): PublicEvent<{ kind: string }> =>
  outcomeEvent({ id: ids.next(), account: callerOf(system).account, subject }, 'document-registered', {
    ...registration,
    ...over,
  }) as PublicEvent<{ kind: string }>;

test('applies outcomes to invoices and receipts according to their kind', async () => {
  const invoice = await submitted();
  const { id: receipt } = await createReceipt(call(), { items: [{ description: 'Tea', unit_price: 3 }], payment_method: 'cash' });
  await consumer.on([registered(invoice), registered(receipt)]);
  expect(await invoices.read(call(), invoice)).toMatchObject({ status: 'submitted', fiscal_code: 'CODE-1' });
  expect(await receipts.read(call(), receipt)).toMatchObject({ fiscal_code: 'CODE-1' });
});

test.each(['statement', '', 'toString'])('throws UnknownEvent for a document of the kind %j and changes no invoice', async (kind) => {
  const invoice = await submitted();
  const before = await invoices.read(call(), invoice);
  await expect(consumer.on([registered(invoice, { kind })])).rejects.toBeInstanceOf(UnknownEvent);
  expect(await invoices.read(call(), invoice)).toEqual(before);
});
