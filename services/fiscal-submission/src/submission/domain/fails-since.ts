import { REFUSED_TOGETHER, type Ending } from './facts.ts';
import { MOST_FAILURES } from './failing.ts';
import type { Calling } from './state.ts';

/**
 * Since when (ISO 8601), and with which code, the authority has answered to this record that it cannot be processed, or not in a way that can be trusted, each time
 * and at least five times: nothing but the wait for the next answer goes on by itself. Null: it does not, or the owner has to mend its certificate.
 */
export function failsSince(state: Calling): { code: string; since: string } | null {
  if ('reported' in state && state.reported?.fixable === 'credentials') return null;
  const answers = state.attempts.flatMap(({ ended }) => (ended && isOfRecord(ended) ? [ended] : []));
  const failures = answers.slice(answers.findLastIndex(({ verdict }) => verdict !== 'deferred' && verdict !== 'unknown') + 1);
  const [first, last] = [failures.at(0), failures.at(-1)];
  if (!first || !last || failures.length < MOST_FAILURES) return null;
  return { code: last.error?.code ?? last.verdict, since: first.at };
}

const isOfRecord = ({ http_status, verdict, error }: Ending): boolean =>
  http_status !== null && verdict !== 'absent' && error?.code !== REFUSED_TOGETHER;
