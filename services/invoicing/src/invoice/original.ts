import { uidOf, versionAt, type Env } from '@svc/kernel';
import type { DocumentContext } from '../document/context.ts';
import { KEPT_FOR_OUTCOMES, MOST_EVENTS } from '../longest-stream.ts';
import type { Original } from './domain/correct.ts';
import { eventsToCome } from './domain/credits.ts';
import { isNumbered, type InvoiceState } from './domain/state.ts';
import { invoices } from './invoices.ts';

const none: Original = { state: null, isFull: false };

/** The invoice that another one corrects, as the store has it now. `id`: null for one that corrects nothing. */
export async function originalOf(
  context: Pick<DocumentContext, 'store' | 'ids'>,
  { account, env }: { account: string; env: Env },
  id: string | null,
): Promise<Original> {
  if (id === null || uidOf('inv', id) === undefined) return none;
  const { state, revision } = await invoices.load(context, { account, env, id });
  return { state, isFull: isFull(state, versionAt(revision)) };
}

/** What its corrections may still add leaves the places that outcomes need. */
export const isFull = (state: InvoiceState | null, version: number): boolean =>
  version + (state && isNumbered(state) ? eventsToCome(state) : 0) + KEPT_FOR_OUTCOMES >= MOST_EVENTS;
