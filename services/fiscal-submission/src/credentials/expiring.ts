import { createHash } from 'node:crypto';
import { enveloped, topics } from '@svc/contracts/events/envelope';
import { CertificateExpiringV1 } from '@svc/contracts/registration/outcome';
import { compareAndSet, type Collection, type JobQueue } from '@svc/document-store';
import type { EventBus } from '@svc/event-bus';
import { derivedUid, firstUidAt, iso, millisOf, type Clock, type Env, type Ids } from '@svc/kernel';
import type { Logger } from '@svc/service';
import { startWatch, type Watch } from '../watch.ts';
import { takeOver } from './activate.ts';
import { inForce, type Credentials } from './credentials.ts';

const DAY_MS = 86_400_000;
/** So many days before its end a certificate is said to expire, once each. */
export const NOTICES = [60, 30, 7] as const;
/** How long after its end the takeover of a successor is still stored, where no process ran. It has signed meanwhile. */
const LOOKED_BACK_MS = 60 * DAY_MS;
const EVERY_MS = 3_600_000;
const UID_LENGTH = 26;
const ENVIRONMENTS: readonly Env[] = ['live', 'test'];

/** The one job that looks for certificates that end. */
const WATCH = 'certificates';

interface WatchOptions {
  credentials: Collection<Credentials>;
  watches: Collection<Watch>;
  bus: Pick<EventBus, 'publish'>;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

/** Every hour, in one process: successors take over, and what ends soon is published. A crash repeats what was published, with the same ids. */
export const watchCertificates = ({ watches, ...context }: WatchOptions): Pick<JobQueue, 'stop'> =>
  startWatch(WATCH, { ...context, watches, everyMs: EVERY_MS, look: () => lookThrough(context) });

type Looking = Omit<WatchOptions, 'watches' | 'clock'> & { clock: Pick<Clock, 'now'> };

/** Looks once through all certificates that end within 60 days, or have lately. Returns whether all was done: one that fails holds up no other. */
export async function lookThrough(context: Looking): Promise<boolean> {
  const { credentials, clock, logger } = context;
  let isDone = true;
  const [from, until] = [iso(clock.now() - LOOKED_BACK_MS), iso(clock.now() + NOTICES[0] * DAY_MS)];
  for (const env of ENVIRONMENTS)
    for await (const one of credentials.find({ env, deleted_at: null, expires_at: { $gt: from, $lte: until } })) {
      await lookAt(context, one).catch((error: unknown) => {
        isDone = false;
        logger.error({ err: error, account: one.account }, 'a certificate that ends could not be looked at; it is tried again');
      });
    }
  return isDone;
}

async function lookAt(context: Looking, one: Credentials): Promise<void> {
  const now = iso(context.clock.now());
  if (inForce(one, now) !== one) await takeOver(context, one);
  else if (one.expires_at > now) await notice(context, one);
}

/** Publishes that a certificate ends soon, where that has not been said of these days. One whose successor is valid by then needs nothing. */
async function notice({ credentials, bus, clock }: Looking, of: Credentials): Promise<void> {
  const { _id, account, env, fingerprint, subject, expires_at, noticed, successor } = of;
  const left = (millisOf(expires_at) - clock.now()) / DAY_MS;
  const days = NOTICES.findLast((each) => left <= each);
  const isFollowed = successor !== undefined && successor.valid_from <= expires_at;
  if (days === undefined || isFollowed || (noticed?.fingerprint === fingerprint && noticed.days <= days)) return;
  const time = firstUidAt(millisOf(expires_at) - days * DAY_MS).padEnd(UID_LENGTH, '0');
  const uid = derivedUid(time, createHash('sha256').update([_id, fingerprint, days].join(' ')).digest());
  const data = { fingerprint, owner: subject, expires_at, days_left: days };
  const fields = { source: 'fiscal-submission', type: CertificateExpiringV1.type, subject: fingerprint, sequence: 1, data };
  await bus.publish(topics.fiscalRegistration, [enveloped({ account, env }, { uid, time: iso(clock.now()), ...fields })]);
  await compareAndSet<Credentials, undefined>(credentials, _id, {
    absent: () => undefined,
    change: (now) => (now.fingerprint === fingerprint ? { noticed: { fingerprint, days } } : undefined),
  });
}
