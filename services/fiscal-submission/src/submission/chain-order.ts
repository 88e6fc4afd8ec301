import type { Env } from '@svc/kernel';
import type { Linked } from '../chain/domain/link.ts';
import type { Context } from './context.ts';
import type { Calling, State } from './domain/state.ts';
import { submissionStream } from './submissions.ts';

/**
 * Whether the record before this one in its chain still waits for its outcome. So the records of a chain are sent one by one in its order, whichever
 * process drives them: each follows from the stream of the one before.
 */
export async function waitsForChain(
  { submissions, states }: Pick<Context, 'submissions' | 'states'>,
  { env, account }: { env: Env; account: string },
  state: Calling,
): Promise<boolean> {
  const previous = state.link?.previous ?? null;
  if (previous === null) return false;
  const stream = submissionStream(env, account, previous.document);
  const { state: before } = await submissions.load(stream);
  if (!isWaiting(before, previous)) return false;
  states.delete(stream); // another process may end it
  return true;
}

/** A submission in review waits for a person, who must not hold up the chain: its record stays in it, whatever becomes of it. */
function isWaiting(state: State, { operation, round }: Linked): boolean {
  if (operation === 'cancel') return state.status === 'cancelling' && state.cancellation.sequence <= round;
  if (operation === 'amend') return state.status === 'amending' && state.amendment.n <= round;
  return (state.status === 'opened' || state.status === 'pending' || state.status === 'unknown') && state.round <= round;
}
