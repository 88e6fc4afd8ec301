import type { CreateReceipt } from '@svc/contracts/receipt/requests';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import { PersonalDataErased } from '@svc/event-store';
import { invalid, iso, prefixed } from '@svc/kernel';
import { metadataOf } from '../context.ts';
import { customerErased, numberingFor } from '../document/numbering.ts';
import { placeOf } from '../issuer/domain/place.ts';
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
  const { unit, device } = placeOf(body, issuer);
  const place = { account, env, kind: 'receipt' as const, code: issuer.series.receipt.code, unit, device };
  const numbering = await numberingFor(context, issuer, { ...place, issueDate: null });
  const at = iso(context.clock.now());
  const command = { type: 'create' as const, at, id: ref.id, livemode, body, preconditions: { issuer, customer, numbering } };
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
