import type { CreateReceipt } from '@svc/contracts/receipt/requests';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import { PersonalDataErased } from '@svc/event-store';
import { invalid, iso, prefixed, Refusal } from '@svc/kernel';
import { metadataOf } from '../context.ts';
import { customerErased } from '../document/requested-customer.ts';
import { placeOf } from '../issuer/domain/place.ts';
import type { IssuerState } from '../issuer/domain/state.ts';
import type { Numbering } from '../series/domain/numbering.ts';
import { seriesOf } from '../series/series.ts';
import { beginNumbering } from '../series/take-number.ts';
import type { Call } from '../document/documents.ts';
import { receipts } from './receipts.ts';

/**
 * A numbered receipt. Asked again under the same command id, also after a crash, it goes on where it stood and answers with the one
 * receipt. Throws validation_error before a number is spent.
 */
export async function createReceipt({ context, identity, turn }: Call, body: CreateReceipt): Promise<ReceiptResource> {
  const { account, env, livemode } = identity;
  const ref = { account, env, id: prefixed('rcp', identity.commandId) };
  const [issuer, customer] = await Promise.all([
    context.issuers.of(account, env),
    typeof body.customer_id === 'string' ? context.customers.find(account, env, body.customer_id) : undefined,
  ]);
  const numbering = await begin({ context, identity }, body, issuer);
  const at = iso(context.clock.now());
  const command = { type: 'create' as const, at, id: ref.id, livemode, body, terms: { issuer, customer, numbering } };
  try {
    await receipts.handle(context, ref, () => command, metadataOf(identity, customer?.id), turn);
  } catch (error) {
    throw error instanceof PersonalDataErased ? customerErased() : error;
  }
  const { command_id: _, ...metadata } = metadataOf(identity);
  const finished = await receipts.takeNumber(context, ref, metadata);
  if (finished.state?.status === 'refused') throw invalid(finished.state.details);
  return receipts.resourceAfter(finished);
}

/** A refusal is the decider's to throw, after what weighs more. */
async function begin({ context, identity }: Call, body: CreateReceipt, issuer: IssuerState): Promise<Numbering | Refusal> {
  const { account, env } = identity;
  try {
    const { unit, device } = placeOf(body, issuer);
    const series = seriesOf(issuer, { account, env, kind: 'receipt', code: issuer.series.receipt.code, unit, device });
    return await beginNumbering(context, { series, issueDate: null, timeZone: issuer.time_zone });
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
