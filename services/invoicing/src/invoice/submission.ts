import type { Env } from '@svc/kernel';
import type { DocumentContext } from '../document/context.ts';
import { canBeInvoiced, frozenCustomer, frozenIssuer } from '../document/domain/parties.ts';
import { numberingFor } from '../document/numbering.ts';
import { pointOfSale } from '../issuer/domain/point-of-sale.ts';
import type { SubmissionPreconditions } from './domain/decide.ts';
import type { InvoiceState } from './domain/state.ts';
import { originalOf } from './invoices.ts';

/** What a submission of an invoice depends on now. */
export async function submissionPreconditions(
  context: DocumentContext,
  { account, env }: { account: string; env: Env },
  { status, content }: InvoiceState,
): Promise<SubmissionPreconditions> {
  const [issuer, customer, original] = await Promise.all([
    context.issuers.of(account, env),
    context.customers.find(account, env, content.customer_id),
    originalOf(context, { account, env }, content.corrects),
  ]);
  const sale = pointOfSale({}, issuer);
  const { unit, device } = sale;
  const { series: code, issue_date: issueDate, due_date: dueDate, type: kind } = content;
  return {
    issuer: frozenIssuer(issuer, sale),
    customer: customer?.personal && canBeInvoiced(customer, content.corrects) ? frozenCustomer(customer) : undefined,
    numbering:
      status === 'draft' ? await numberingFor(context, issuer, { account, env, kind, code, unit, device, issueDate, dueDate }) : null,
    original,
  };
}
