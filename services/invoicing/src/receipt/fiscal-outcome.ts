import type { PublicEvent } from '@svc/contracts/events/envelope';
import { iso } from '@svc/kernel';
import type { InvoicingContext } from '../context.ts';
import { outcomeCommand, outcomeMetadata } from '../document/outcome.ts';
import { receiptsOf, receiptStream } from './receipts.ts';

/** Told twice, or about a round or a wish that is over, it changes nothing. */
export async function applyOutcome(context: InvoicingContext, event: PublicEvent): Promise<void> {
  const { account, env, subject: id } = event;
  const command = outcomeCommand(event, iso(context.clock.now()));
  if (command) await receiptsOf(context).handle(receiptStream({ account, env, id }), () => command, outcomeMetadata(event));
}
