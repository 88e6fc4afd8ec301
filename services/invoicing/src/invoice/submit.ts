import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { PersonalDataErased } from '@svc/event-store';
import { invalid, iso, DomainError, versionAt } from '@svc/kernel';
import { checkVersion } from '@svc/service';
import { metadataOf } from '../context.ts';
import { placeOf } from '../issuer/domain/place.ts';
import type { SubmissionPreconditions } from './domain/decide.ts';
import { frozenCustomer, frozenIssuer, isActive } from '../document/domain/parties.ts';
import type { InvoiceState } from './domain/state.ts';
import type { Call, Named } from '../document/documents.ts';
import { invoices } from './invoices.ts';
import { customerErased, numberingFor } from '../document/numbering.ts';

const ATTEMPTS = 5;

/**
 * Asks for registration: the invoice gets its number (or keeps the one it has) and is submitting. Repeated, also after a crash or a lost
 * answer, it goes on where it stood. Throws not_found, version_conflict, validation_error before a number is spent, invalid_state.
 */
export async function submitInvoice(
  { context, identity, turn }: Call,
  { lateReason, ...named }: Named & { lateReason: string | null },
): Promise<InvoiceResource> {
  const { account, env } = identity;
  const ref = { account, env, id: named.id };
  const { command_id: _, ...metadata } = metadataOf(identity);
  await request({ context, identity, turn }, { lateReason, ...named });
  const finished = await invoices.takeNumber(context, ref, metadata);
  if (finished.state?.status === 'draft') throw invalid(finished.state.refused ?? {});
  return invoices.resourceAfter(finished);
}

/** The first step. What a submission needs is found out beside the stream: if the invoice moves on meanwhile, it is found out anew. */
async function request({ context, identity, turn }: Call, { lateReason, ...named }: Named & { lateReason: string | null }): Promise<void> {
  const { account, env } = identity;
  const ref = { account, env, id: named.id };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { state, revision, commands } = await invoices.current(context, ref, turn);
    if (commands.has(identity.commandId)) return;
    checkVersion(named.ifMatch, versionAt(revision));
    const preconditions = await preconditionsFor({ context, identity }, state);
    const at = iso(context.clock.now());
    const decideOn = invoices.onExisting(named, (_state, version) => {
      if (version !== versionAt(revision)) throw new MovedOn();
      return { type: 'submit', at, preconditions, late_reason: lateReason };
    });
    // A number that is asked for holds the customer's personal data; one that there is makes them a legal record, in clear.
    const subject = state.status === 'draft' ? state.content.customer_id : undefined;
    try {
      await invoices.handle(context, ref, decideOn, metadataOf(identity, subject), turn);
      return;
    } catch (error) {
      if (error instanceof PersonalDataErased) throw customerErased();
      if (!(error instanceof MovedOn)) throw error;
    }
  }
  throw new DomainError('service_unavailable', 'Others are changing this invoice. Repeat the request.', undefined, 1);
}

/** What was found out was about an earlier version. */
class MovedOn extends Error {}

async function preconditionsFor({ context, identity: { account, env } }: Call, state: InvoiceState): Promise<SubmissionPreconditions> {
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
