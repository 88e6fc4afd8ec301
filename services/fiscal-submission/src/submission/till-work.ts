import { createHash } from 'node:crypto';
import { enveloped, topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { DeviceRefusedV1, DeviceRegisteredV1 } from '@svc/contracts/registration/outcome';
import { startJobs, type JobQueue } from '@svc/document-store';
import type { EventBus } from '@svc/event-bus';
import { derivedUid, firstUidAt, iso, millisOf } from '@svc/kernel';
import type { Breakers } from './circuit-breaker.ts';
import type { Context } from './context.ts';
import { waitAfter } from './domain/next-step.ts';
import { registerTill, type TillOutcome } from './register-till.ts';
import type { TillRegistration } from './till-registrations.ts';

/** Calls at a time: those of an authority that does not answer take its deadline. */
const BATCH = 20;
/** How long a request without an answer is sent again, in milliseconds. */
const LONGEST_MS = 86_400_000;
const UID_LENGTH = 26;

type Said = NonNullable<TillOutcome>;

export interface TillWork {
  context: Context;
  /** As of documents: what does not answer for these does not for tills. */
  breakers: Breakers;
  bus: Pick<EventBus, 'publish'>;
  /** As of a job queue. */
  holder: string;
}

/** Registers tills that are due, and publishes what their authority said. A crash in between asks and publishes again, with the same id. */
export function startTills({ context, breakers, bus, holder }: TillWork): JobQueue {
  const { tills, authorities, clockHolds, clock, logger, timeScale } = context;

  async function one(row: TillRegistration): Promise<void> {
    const { _id, version, env, requested_at } = row;
    const breaker = breakers[env].get(row.authority);
    const authority = authorities[env].get(row.authority);
    const heldUntil = authority && breaker ? await clockHolds.until({ env, authority }, breaker) : null;
    const admitted = heldUntil !== null ? { go: false as const, until: heldUntil } : (breaker?.admit(row, clock.now()) ?? { go: true });
    if (!admitted.go) return void (await tills.claim({ _id, version }, { set: { due_at: admitted.until } }));
    const { said: answered, asked, ofAll, taken } = await registerTill(context, row).finally(() => breaker?.release(row));
    if (ofAll && authority && breaker) await clockHolds.hold({ env, authority }, breaker);
    else if (asked) breaker?.record(row, answered !== undefined, clock.now());
    if (taken && authority && breaker) await clockHolds.taken({ env, authority }, breaker);
    const failures = row.failures + 1;
    const said = answered ?? givenUp(clock.now() - millisOf(requested_at));
    const next = said ? { due_at: null } : { failures, due_at: clock.now() + waitAfter(env, failures) / timeScale };
    if (said) await bus.publish(topics.fiscalRegistration, [outcomeEvent(row, said, iso(clock.now()))]);
    await tills.claim({ _id, version }, { set: next });
  }

  return startJobs({
    ...{ name: 'due:tills', collection: tills, clock, logger, holder, batch: BATCH },
    async handle(rows) {
      const done = await Promise.allSettled(rows.map(one));
      for (const each of done)
        if (each.status === 'rejected') logger.error({ err: each.reason as Error }, 'a till could not be registered; it is tried again');
    },
  });
}

const givenUp = (waitedMs: number): Said | undefined =>
  waitedMs < LONGEST_MS
    ? undefined
    : { error: { code: 'no_answer', message: 'The authority has not answered for a day. Register the till again.', fixable: 'setup' } };

/** `at`: ISO 8601. */
function outcomeEvent(
  { _id, account, env, issuer_id, unit, code, authority, request, requested_at, traceparent }: TillRegistration,
  said: Said,
  at: string,
): PublicEvent {
  const of = { issuer_id, unit, device_code: code, authority, request };
  const { type } = 'error' in said ? DeviceRefusedV1 : DeviceRegisteredV1;
  const data = 'error' in said ? { ...of, error: said.error, refused_at: at } : { ...of, ...said };
  const digest = createHash('sha256').update([_id, request, requested_at, type].join(' ')).digest();
  const uid = derivedUid(firstUidAt(millisOf(requested_at)).padEnd(UID_LENGTH, '0'), digest);
  return enveloped(
    { account, env, ...(traceparent !== undefined && { traceparent }) },
    { uid, source: 'fiscal-submission', type, subject: issuer_id, time: at, sequence: request, data },
  );
}
