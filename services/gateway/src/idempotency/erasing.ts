import { changeEach, type Collection } from '@svc/document-store';
import { decompressed } from './compression.ts';
import type { IdempotencyRow } from './row.ts';
import { manyCustomersOf } from './subject.ts';

/** Without the response a repeat runs again under the same command id and shows the customer's present state. */
const WITHOUT_ANSWER = {
  answer: null,
  compressed: undefined,
  answer_text: undefined,
  subject: null,
  until: 0,
} satisfies Partial<IdempotencyRow>;

/** Removes kept responses with the personal data of an erased customer. Idempotent. */
export async function eraseAnswers(
  rows: Collection<IdempotencyRow>,
  { scope, customer }: { scope: string; customer: string },
): Promise<void> {
  await rows.claim({ subject: customer }, { set: WITHOUT_ANSWER });
  for await (const row of rows.find({ subject: manyCustomersOf(scope) })) {
    const { answer, compressed, answer_text: text = '' } = row;
    const kept = answer === null && compressed ? await decompressed(Buffer.from(text, 'base64')) : (answer?.body ?? '');
    if (kept.includes(customer)) await rows.claim({ _id: row._id, version: row.version }, { set: WITHOUT_ANSWER });
  }
}

/**
 * Removes all kept responses, after a restore: the stores of the services may be older than the response, which then shows what is lost. A
 * repeat runs again under the same command id and makes nothing twice. Idempotent.
 */
export const forgetAnswers = (rows: Collection<IdempotencyRow>): Promise<void> =>
  changeEach(rows, {}, ({ answer, compressed }) => (answer || compressed ? WITHOUT_ANSWER : undefined));
