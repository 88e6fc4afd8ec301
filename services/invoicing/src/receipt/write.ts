import type { CreateReceipt } from '@svc/contracts/receipt/requests';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import { invalid, iso, prefixed, dayIn, DomainError, streamOf, uidOf } from '@svc/kernel';
import { checkSimulation } from '@svc/contracts/document/simulation';
import { numberingFor } from '../document/numbering.ts';
import { pointOfSale } from '../issuer/domain/point-of-sale.ts';
import type { Call, Named } from '../document/context.ts';
import type { ReceiptPreconditions } from './domain/decide.ts';
import { receiptProcess } from './process.ts';
import { receipts } from './receipts.ts';

/**
 * A numbered receipt. Asked again under the same command id, also after a crash, it goes on where it stood and answers with the one
 * receipt. Throws validation_error before a number is spent.
 */
export async function createReceipt(call: Call, body: CreateReceipt): Promise<ReceiptResource> {
  const { commandId, livemode } = call.identity;
  const id = prefixed('rcp', commandId);
  const finished = await receiptProcess.runNumbered(call, id, async () => {
    if (body.metadata) checkSimulation(call.identity, body.metadata);
    const preconditions = await preconditionsOf(call, body);
    return { type: 'create', at: iso(call.context.clock.now()), id, livemode, body, preconditions };
  });
  if (finished.state?.status === 'refused') throw invalid(finished.state.details);
  return receipts.resourceAfter(finished);
}

async function preconditionsOf(
  { context, identity: { account, env }, certified }: Call,
  body: CreateReceipt,
): Promise<ReceiptPreconditions> {
  const [issuer, customer, products] = await Promise.all([
    context.issuers.of(account, env),
    typeof body.customer_id === 'string' ? context.customers.find(account, env, body.customer_id) : undefined,
    context.products.named(account, env, body.items),
  ]);
  const { unit, device } = pointOfSale(body, issuer);
  const place = { account, env, kind: 'receipt' as const, code: issuer.series.receipt.code, unit, device };
  return {
    issuer,
    customer,
    products,
    numbering: await numberingFor(context, issuer, { ...place, issueDate: null }),
    lacking: context.lacking,
    certified: await certified?.(),
  };
}

/** Sends a receipt again that was rejected for credentials or setup. Throws not_found, version_conflict, invalid_state. */
export const resubmitReceipt = (
  call: Call,
  { lateReason = null, ...named }: Named & { lateReason?: string | null },
): Promise<ReceiptResource> =>
  receipts.change(call, named, async () => {
    const { context, identity } = call;
    const issuer = await context.issuers.of(identity.account, identity.env);
    const around = { lacking: context.lacking, certified: await call.certified?.() };
    return { type: 'resubmit', at: iso(context.clock.now()), issuer, around, late_reason: lateReason };
  });

/**
 * Who may void none but its own receipts of today voids no other: the actor of the first event decides, and the day in the issuer's time zone. Throws
 * insufficient_permissions. A receipt that is not there is refused where it is voided.
 */
export async function checkVoidOwn({ context, identity }: Call, id: string): Promise<void> {
  const { account, env, permissions, actor } = identity;
  if (permissions.includes('*') || permissions.includes('receipts:void') || uidOf('rcp', id) === undefined) return;
  const [first] = await context.store.read(streamOf('receipt', env, account, id), 0n, 1);
  if (!first) return;
  const { time_zone: zone } = await context.issuers.of(account, env);
  const by = first.metadata.actor;
  const isOwn = by?.type === actor.type && by.id === actor.id;
  if (!isOwn || dayIn(zone, first.recordedAt) !== dayIn(zone, context.clock.now()))
    throw new DomainError('insufficient_permissions', 'Only your own receipts of today are yours to void. Ask who may void receipts.');
}
