import { iso, toUuid } from '@svc/kernel';
import type { AuthorityError, Result } from './domain/facts.ts';
import type { Context } from './context.ts';
import { observeClock } from '../sending/clock-difference.ts';
import { withClient } from '../sending/http.ts';
import { outgoingOf } from './outgoing.ts';
import { isOfAll, isTaken, send } from './send.ts';
import { keepReceived, keepSent } from './wire-log.ts';
import type { TillRegistration } from './till-registrations.ts';

/** What a till's authority has said; undefined: nothing that can be trusted, and the same request is sent again. */
export type TillOutcome = { authority_code: string; registered_at: string } | { error: AuthorityError } | undefined;

/** `asked`: a call was made; `ofAll`: the authority takes no message now; `taken`: it has judged this one. */
export interface TillCall {
  said: TillOutcome;
  asked: boolean;
  ofAll?: boolean;
  taken?: boolean;
}

/** Makes one call. It may be repeated: the authority knows a till by its unit and internal name, and gives the same code again. */
export async function registerTill(
  context: Context,
  { account, env, issuer_id, authority: id, till }: TillRegistration,
): Promise<TillCall> {
  const { authorities, clock, ids, wireLog, stored, http } = context;
  const authority = authorities[env].get(id);
  if (!authority?.till) return { said: { error: notServed(id) }, asked: false };
  const at = iso(clock.now());
  const message_id = toUuid(ids.next());
  const envelope = { taxpayer: `${env}.${account}`, id: message_id, sentAt: at, repeated: false, firstSentAt: null };
  const { message, client, unsent } = await outgoingOf(context, { env, account, authority }, authority.till(till, envelope));
  if (unsent) return { said: outcomeOf(unsent.result), asked: false };
  stored.add(account, await keepSent(wireLog, { document_id: issuer_id, message, at }));
  const startedAt = clock.now();
  const reply = await send(authority, message, { record_sha256: '', registered: false }, withClient(http, client));
  const { result, received, times } = reply;
  const now = clock.now();
  const aheadMs = observeClock({ authority, env }, { startedAt, now, times });
  if (received)
    stored.add(account, await keepReceived(wireLog, { document_id: issuer_id, message, at: iso(clock.now()) }, reply, received));
  return { said: outcomeOf(result), asked: true, ofAll: isOfAll(result, { aheadMs }), taken: isTaken('till', result) };
}

/** Without a certificate nothing is sent: that is said, as a refusal, since a person waits for it. */
function outcomeOf(result: Result): TillOutcome {
  switch (result.kind) {
    case 'registered':
      return { authority_code: result.code, registered_at: result.registered_at };
    case 'rejected':
    case 'foreign':
      return { error: result.error };
    case 'deferred':
      return result.fixable && { error: { ...result.error, fixable: result.fixable } };
    case 'unknown':
    case 'absent':
    case 'cancelled':
    case 'refused':
      return undefined;
    default:
      return result satisfies never;
  }
}

const notServed = (authority: string): AuthorityError => ({
  code: 'authority_not_served',
  message: `${authority} registers no tills here. Set another authority with PATCH /issuer.`,
  fixable: 'setup',
});
