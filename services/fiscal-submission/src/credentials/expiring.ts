import { createHash } from 'node:crypto';
import { enveloped, topics } from '@svc/contracts/events/envelope';
import { CertificateExpiringV1 } from '@svc/contracts/registration/outcome';
import { compareAndSet, type Collection, type Job, type JobQueue, startJobs } from '@svc/document-store';
import type { EventBus } from '@svc/event-bus';
import { derivedUid, firstUidAt, iso, millisOf, type Clock, type Env, type Ids } from '@svc/kernel';
import type { Logger } from '@svc/service';
import { takeOver } from './activate.ts';
import { inForce, type Credentials } from './credentials.ts';

const DAY_MS = 86_400_000;
/** So many days before its end a certificate is said to expire, once each. */
export const NOTICES = [60, 30, 7] as const;
/** How long after its end the takeover of a successor is still stored, where no process ran. It has signed meanwhile. */
const LOOKED_BACK_MS = 60 * DAY_MS;
const EVERY_MS = 3_600_000;
const AFTER_ERROR_MS = 60_000;
const UID_LENGTH = 26;
const ENVIRONMENTS: readonly Env[] = ['live', 'test'];

/** The one job that looks for certificates that end. */
export type Watch = Job;
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
export function watchCertificates({ watches, ...context }: WatchOptions): Pick<JobQueue, 'stop'> {
  const { clock, logger } = context;
  const stopped = new AbortController();
  const queue = begin().then(() =>
    stopped.signal.aborted ? undefined : startJobs({ name: WATCH, collection: watches, clock, logger, lookEvery: EVERY_MS, handle }),
  );

  async function begin(): Promise<void> {
    while (!stopped.signal.aborted)
      try {
        await watches.insert({ _id: WATCH, version: 1, due_at: clock.now() });
        return;
      } catch (error) {
        logger.error({ err: error }, 'the watch over certificates could not begin; it is tried again');
        await clock.sleep(AFTER_ERROR_MS, stopped.signal);
      }
  }
  async function handle(due: Watch[]): Promise<void> {
    for (const { _id, version } of due) {
      const isDone = await lookThrough(context).catch((error: unknown) => {
        logger.error({ err: error }, 'certificates that end could not be looked through; it is tried again');
        return false;
      });
      await watches.claim({ _id, version }, { set: { due_at: clock.now() + (isDone ? EVERY_MS : AFTER_ERROR_MS) } });
    }
  }
  return {
    async stop() {
      stopped.abort();
      await (await queue)?.stop();
    },
  };
}

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

/** Publishes that a certificate ends soon, where that has not been said of these days. One whose successor is staged needs nothing. */
async function notice({ credentials, bus, clock }: Looking, of: Credentials): Promise<void> {
  const { _id, account, env, fingerprint, subject, expires_at, noticed, successor } = of;
  const left = (millisOf(expires_at) - clock.now()) / DAY_MS;
  const days = NOTICES.findLast((each) => left <= each);
  if (days === undefined || successor || (noticed?.fingerprint === fingerprint && noticed.days <= days)) return;
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
