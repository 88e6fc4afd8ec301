import { DomainError, iso } from '@svc/kernel';
import { compareAndSet } from '@svc/document-store';
import type { Context } from '../submission/context.ts';
import { CLAIM_MS, type Row } from '../submission/row.ts';
import { submissionStream } from '../submission/submissions.ts';

/**
 * Has a record of a chain given up that the authority does not take, so that those behind it are sent. Returns its row as claimed by the caller. Throws not_found,
 * invalid_state where nothing of it waits.
 */
export async function giveUpSubmission({ rows, submissions, clock }: Context, document: string): Promise<Row> {
  const row = await rows.get(document);
  if (!row) throw new DomainError('not_found', `Nothing of ${document} was submitted.`);
  const { account, env } = row;
  const claim = { absent: () => undefined, change: () => ({ due_at: clock.now() + CLAIM_MS }), tries: 20 };
  let claimed: Row | undefined;
  await submissions.handle(
    submissionStream(env, account, document),
    async ({ status }) => {
      if (status === 'pending' || status === 'cancelling' || status === 'amending')
        claimed ??= (await compareAndSet(rows, document, claim)).doc;
      return { do: 'give_up', at: iso(clock.now()) };
    },
    { account, env, actor: { type: 'system', id: 'operator' } },
  );
  return claimed ?? row;
}
