import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { invalid, iso } from '@svc/kernel';
import { placeOf } from '../issuer/domain/place.ts';
import type { SubmissionPreconditions } from './domain/decide.ts';
import { frozenCustomer, frozenIssuer, isActive } from '../document/domain/parties.ts';
import type { InvoiceState } from './domain/state.ts';
import type { Call, Named } from '../document/documents.ts';
import { invoices } from './invoices.ts';
import { numberingFor } from '../document/numbering.ts';

/**
 * Asks for registration: the invoice gets its number (or keeps the one it has) and is submitting. Repeated, also after a crash or a lost
 * answer, it goes on where it stood. Throws not_found, version_conflict, validation_error before a number is spent, invalid_state.
 */
export async function submitInvoice(call: Call, { lateReason, ...named }: Named & { lateReason: string | null }): Promise<InvoiceResource> {
  const submit = async (state: InvoiceState) => {
    const preconditions = await preconditionsOf(call, state);
    return { type: 'submit' as const, at: iso(call.context.clock.now()), preconditions, late_reason: lateReason };
  };
  const finished = await invoices.runNumbered(call, named.id, invoices.onExisting(named, submit));
  if (finished.state?.status === 'draft') throw invalid(finished.state.refused ?? {});
  return invoices.resourceAfter(finished);
}

async function preconditionsOf({ context, identity: { account, env } }: Call, state: InvoiceState): Promise<SubmissionPreconditions> {
  const [issuer, customer] = await Promise.all([
    context.issuers.of(account, env),
    context.customers.find(account, env, state.content.customer_id),
  ]);
  const place = placeOf({}, issuer);
  const { unit, device } = place;
  const { series: code, issue_date: issueDate, type: kind } = state.content;
  return {
    issuer: frozenIssuer(issuer, place),
    customer: isActive(customer) && customer.personal ? frozenCustomer(customer) : undefined,
    numbering: state.status === 'draft' ? await numberingFor(context, issuer, { account, env, kind, code, unit, device, issueDate }) : null,
  };
}
