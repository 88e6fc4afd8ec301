import { DomainError } from '@svc/kernel';
import type { DocumentContext } from '../../document/context.ts';
import { createCustomer } from '../../customer/write.ts';
import { outcomeEvent, registration, rejection } from '../../document/testing/outcomes.ts';
import { callerOf, type System } from '../../testing/open-system.ts';
import { invoiceProcess } from '../process.ts';
import { createInvoice, invoices } from '../invoices.ts';
import { reviseInvoice, submitInvoice } from '../write.ts';

export const item = (unit_price: number, quantity = 1) => ({ description: 'x', quantity, unit_price, tax_rate: 0 });
/** The code and the fields of the error. */
export const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof DomainError ? [error.code, ...Object.keys(error.details ?? {})] : error),
  );

/** Invoices and what corrects them, on a system. */
export function correcting(system: System) {
  const { context } = system;

  /** A new account with a registered invoice, of 100 unless `body` says otherwise. */
  async function fixture(body: object = {}) {
    const account = `acct_${system.ids.next()}`;
    const identity = () => callerOf(system, account);
    const call = (on: DocumentContext = context) => ({ context: on, identity: identity() });
    const customer = await createCustomer({ ...call(), customers: system.customers }, { name: 'Jo' });
    const ref = (id: string) => ({ account, env: 'test' as const, id });
    const named = (id: string) => ({ id, ifMatch: undefined });
    const draft = async (over: object) => (await createInvoice(call(), { customer_id: customer.id, items: [item(100)], ...over })).id;
    const submit = (id: string, on = context) => submitInvoice(call(on), { ...named(id), lateReason: null });
    const event = (id: string, name: string, data: object) => outcomeEvent({ id: system.ids.next(), account, subject: id }, name, data);
    const read = (id: string) => invoices.read(call(), id);
    const register = (id: string, round = 1) =>
      invoiceProcess.applyOutcome(context, event(id, 'document-registered', { ...registration, round }));
    const reject = (id: string) => invoiceProcess.applyOutcome(context, event(id, 'document-rejected', rejection('data')));
    const original = await draft(body);
    await submit(original);
    await register(original);
    const note = (amount: number, over: object = {}) => draft({ type: 'credit_note', corrects: original, items: [item(amount)], ...over });
    return {
      ...{ account, customer, call, ref, named, draft, submit, event, read, register, reject, original, note },
      issued: async (id: string) => (await submit(id), await register(id), id),
      void: (id: string) => invoiceProcess.void(call(), { ...named(id), reason: 'Returned' }),
      revise: (id: string, body: object) => reviseInvoice(call(), { ...named(id), body }),
      events: async (id: string) => (await system.store.read(invoices.stream(ref(id)))).map(({ type }) => type.replace('Invoice', '')),
      finish: (id: string) => invoiceProcess.finish(context, ref(id)),
    };
  }

  /** The process dies after its append number `at`: the append is stored, its caller sees an error. */
  function crashing(at: number): DocumentContext {
    let appends = 0;
    const append: DocumentContext['store']['append'] = async (...call) => {
      const answer = await system.store.append(...call);
      if ((appends += 1) === at) throw new Error('the process is gone');
      return answer;
    };
    const store = { ...system.store, read: system.store.read.bind(system.store), append };
    return { ...context, store };
  }

  return { fixture, crashing };
}
