import type { Call } from '../document/context.ts';
import type { InvoiceCommand } from './domain/decide.ts';
import { mayBePast } from './warnings.ts';

export type Creation = Extract<InvoiceCommand, { type: 'create' }>;

/**
 * Reports what the answer to a new draft shows besides its event, by which `draftAgain` makes it again: the version of its customer; undefined where it depends on
 * more, which is the invoice that it corrects, or the day. Returns the command.
 */
export async function answeredFrom(call: Call, command: Creation): Promise<Creation> {
  if (call.answeredFrom) call.answeredFrom(await customerVersion(call, command));
  return command;
}

async function customerVersion({ context, identity, customers = context.customers }: Call, { body, preconditions }: Creation) {
  const { customer_id, corrects, issue_date = null, due_date = null } = body;
  if (customer_id === undefined || corrects) return undefined;
  // One that is due later than today is not warned of tomorrow either, when it may be answered.
  if (mayBePast({ issue_date, due_date }) && (due_date ?? '') <= preconditions.today) return undefined;
  const looked = await customers.look(identity.account, identity.env, customer_id);
  return looked && String(looked.version);
}
