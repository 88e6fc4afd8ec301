import { NotSent, type Http } from '../sending/http.ts';
import type { Authority, Message, Ours } from './authority.ts';
import type { Result } from './domain/facts.ts';

export interface Reply {
  result: Result;
  /** null: no response arrived. */
  status: number | null;
  received: Buffer | null;
}

/**
 * Makes the call and has the response read. Never throws: a response that cannot be read is `unknown`, a request that certainly did not arrive is `deferred`.
 */
export async function send(
  authority: Pick<Authority, 'deadlineMs' | 'read' | 'anchors'>,
  message: Message,
  ours: Ours,
  http: Http,
): Promise<Reply> {
  const { method, url, headers, body } = message;
  const tls = authority.anchors && { anchors: authority.anchors };
  try {
    const response = await http({ method, url, headers, body, tls, deadlineMs: authority.deadlineMs });
    return { result: readWith(authority, message, ours, response), status: response.status, received: response.body };
  } catch (error) {
    const text = textOf(error);
    const result: Result =
      error instanceof NotSent
        ? { kind: 'deferred', error: { code: 'unreachable', message: text } }
        : { kind: 'unknown', error: { code: 'no_answer', message: text } };
    return { result, status: null, received: null };
  }
}

function readWith(authority: Pick<Authority, 'read'>, ...[message, ours, response]: Parameters<Authority['read']>): Result {
  try {
    return authority.read(message, ours, response);
  } catch (error) {
    return {
      kind: 'unknown',
      error: { code: 'unreadable_answer', message: `The answer (${response.status}) cannot be read: ${textOf(error)}` },
    };
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
