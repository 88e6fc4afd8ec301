import { DomainError, iso } from '@svc/kernel';
import { compareAndSet } from '@svc/document-store';
import type { Context } from '../submission/context.ts';
import { decide } from '../submission/domain/decide.ts';
import { OPERATOR } from '../submission/publish.ts';
import { CLAIM_MS, type Row } from '../submission/row.ts';
import { submissionStream } from '../submission/submissions.ts';

/**
 * Has a record of a chain given up that the authority does not take, so that those behind it are sent. Returns its row as claimed by the caller. Throws not_found,
 * invalid_state where nothing of it waits, or no call about it has failed.
 */
export async function giveUpSubmission({ rows, submissions, clock }: Context, document: string): Promise<Row> {
  const row = await rows.get(document);
  if (!row) throw new DomainError('not_found', `Nothing of ${document} was submitted.`);
  const { account, env } = row;
  const claim = { absent: () => undefined, change: () => ({ due_at: clock.now() + CLAIM_MS }), tries: 20 };
  let claimed: Row | undefined;
  await submissions.handle(
    submissionStream(env, account, document),
    async (state) => {
      const command = { do: 'give_up' as const, at: iso(clock.now()) };
      // Refused before the row is claimed: what goes on by itself is not held up.
      decide(command, state);
      claimed ??= (await compareAndSet(rows, document, claim)).doc;
      return command;
    },
    { account, env, actor: OPERATOR },
  );
  return claimed ?? row;
}
