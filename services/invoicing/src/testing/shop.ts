import type { CreateInvoice } from '@svc/contracts/invoice/requests';
import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import type { CreateReceipt } from '@svc/contracts/receipt/requests';
import { createCustomer } from '../customer/write.ts';
import { createInvoice } from '../invoice/invoices.ts';
import { submitInvoice } from '../invoice/write.ts';
import { updateIssuer } from '../issuer/update.ts';
import { createReceipt } from '../receipt/write.ts';
import { callerOf, type System } from './open-system.ts';

/** A new account with these settings of its issuer and one customer, and what its till and its office do. */
export async function openShop(system: System, patch: UpdateIssuer = {}) {
  const { context, customers, issuers } = system;
  const account = `acct_${system.ids.next()}`;
  const call = () => ({ context, identity: callerOf(system, account) });
  const set = (body: UpdateIssuer) => updateIssuer({ ...call(), issuers }, { ifMatch: undefined, patch: body });
  await set(patch);
  const { id: customer_id } = await createCustomer({ ...call(), customers }, { name: 'Jo' });
  const items = [{ description: 'Tea', unit_price: 10 }];
  const draft = async (over: Partial<CreateInvoice> = {}): Promise<string> =>
    (await createInvoice(call(), { customer_id, items, ...over })).id;
  const submit = (id: string) => submitInvoice(call(), { id, ifMatch: undefined, lateReason: null });
  const invoice = async (over: Partial<CreateInvoice> = {}) => submit(await draft(over));
  const receipt = (over: Partial<CreateReceipt> = {}) => createReceipt(call(), { items, payment_method: 'cash', ...over });
  return { account, customer_id, call, set, draft, submit, invoice, receipt };
}
