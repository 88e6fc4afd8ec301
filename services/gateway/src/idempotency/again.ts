import type { AnswerAgain } from '@svc/contracts/http/answer-again';
import type { Collection } from '@svc/document-store';
import type { Env, JsonText } from '@svc/kernel';
import type { AnswerForm, Claim, IdempotencyRow, KeptAnswer, Repeatable } from './row.ts';

/** An answer that was made again. */
export interface MadeAgain extends Pick<KeptAnswer, 'status' | 'headers'> {
  body: string;
  /** It still has to be given it. */
  form: AnswerForm;
}

/**
 * Responses that are made again of the events of their command. Their rows are complete at their only write, which is in the commit of these events; a store
 * without such a commit has the claim alone, and the response is kept whole. `answerAgain` absent: so are all.
 */
export function createAgain(rows: Collection<IdempotencyRow>, answerAgain: AnswerAgain | undefined) {
  /** The row itself, which is the claim of the request, too. */
  function completed(first: IdempotencyRow, again: Repeatable['again']): IdempotencyRow {
    const made = again?.();
    return made === undefined ? first : Object.assign(first, { until: 0, runs_in: undefined, again: made });
  }

  return {
    /** False: the key is taken. */
    insert({ command, appends = false, again }: Repeatable, first: IdempotencyRow): Promise<boolean> {
      if (!appends) return rows.insert(first);
      return rows.insertFor(command, first, answerAgain && (() => completed(first, again)));
    },

    /** Whether the row of the claim was stored with all that a repeat of this response needs. */
    isComplete: (claim: Claim, status: number): boolean => status === CREATED && claim.again !== undefined,

    /** undefined: there is nothing to make it of. */
    async answer({ scope, route }: Repeatable, { command, again }: IdempotencyRow): Promise<MadeAgain | undefined> {
      if (!again || route === undefined) return undefined;
      const { from: answeredFrom, ...form } = again;
      const at = scope.indexOf('.');
      const asked = { route, env: scope.slice(0, at) as Env, account: scope.slice(at + 1), command, answeredFrom };
      const made = await answerAgain?.(asked);
      return made && { status: CREATED, headers: headersOf(made), body: made.text, form };
    },
  };
}

const CREATED = 201;

/** As the service sends it. */
const headersOf = ({ version }: JsonText): Record<string, string> => ({
  'content-type': 'application/json; charset=utf-8',
  etag: `"${version}"`,
});
