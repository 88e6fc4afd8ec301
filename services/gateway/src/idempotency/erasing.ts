import type { Collection } from '@svc/document-store';
import type { IdempotencyRow } from './row.ts';
import { manyCustomersOf } from './subject.ts';

/** Without its answer a repeat runs again under the same command id, and is answered from what the customer's state is now. */
const WITHOUT_ANSWER = { answer: null, subject: null, until: 0 } satisfies Partial<IdempotencyRow>;

/** Forgets every kept answer that holds the personal data of an erased customer. Repeating it changes nothing. */
export async function eraseAnswers(
  rows: Collection<IdempotencyRow>,
  { scope, customer }: { scope: string; customer: string },
): Promise<void> {
  await rows.claim({ subject: customer }, { set: WITHOUT_ANSWER });
  for await (const row of rows.find({ subject: manyCustomersOf(scope) })) {
    if (row.answer?.body.includes(customer)) await rows.claim({ _id: row._id, version: row.version }, { set: WITHOUT_ANSWER });
  }
}
