import type { CreateReceipt } from '@svc/contracts/receipt/requests';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import { invalid, iso, prefixed } from '@svc/kernel';
import { checkSimulation } from '@svc/contracts/document/simulation';
import { numberingFor } from '../document/numbering.ts';
import { pointOfSale } from '../issuer/domain/point-of-sale.ts';
import type { Call } from '../document/documents.ts';
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
    checkSimulation(call.identity, body.metadata);
    const preconditions = await preconditionsOf(call, body);
    return { type: 'create', at: iso(call.context.clock.now()), id, livemode, body, preconditions };
  });
  if (finished.state?.status === 'refused') throw invalid(finished.state.details);
  return receipts.resourceAfter(finished);
}

async function preconditionsOf({ context, identity: { account, env } }: Call, body: CreateReceipt): Promise<ReceiptPreconditions> {
  const [issuer, customer, products] = await Promise.all([
    context.issuers.of(account, env),
    typeof body.customer_id === 'string' ? context.customers.find(account, env, body.customer_id) : undefined,
    context.products.named(account, env, body.items),
  ]);
  const { unit, device } = pointOfSale(body, issuer);
  const place = { account, env, kind: 'receipt' as const, code: issuer.series.receipt.code, unit, device };
  return { issuer, customer, products, numbering: await numberingFor(context, issuer, { ...place, issueDate: null }) };
}
