import { createHash } from 'node:crypto';
import { enveloped, topics } from '@svc/contracts/events/envelope';
import { DocumentDeadlineNearV1 } from '@svc/contracts/registration/outcome';
import type { Collection, Doc, JobQueue } from '@svc/document-store';
import type { EventBus } from '@svc/event-bus';
import { derivedUid, firstUidAt, iso, type Clock, type Env } from '@svc/kernel';
import type { Logger } from '@svc/service';
import { startWatch, type Watch } from '../watch.ts';
import { SOON_MS } from './metrics.ts';
import type { Row } from './row.ts';

const EVERY_MS = 10 * 60_000;
const UID_LENGTH = 26;
/** Notices of ends that are over, of one look. */
const MOST_REMOVED = 1_000;
const ENVIRONMENTS: readonly Env[] = ['live', 'test'];

/** That a document's end was published as near. `_id`: the document; `version`: the end, so that a later one is written over it. */
export interface DeadlineNotice extends Doc {
  /** Milliseconds since 1970. */
  deadline_at: number;
}

export const noticeIndexes = [{ fields: ['deadline_at'] }];

interface WatchOptions {
  rows: Pick<Collection<Row>, 'find'>;
  notices: Pick<Collection<DeadlineNotice>, 'get' | 'find' | 'write'>;
  /** Ids of the authorities that are served. */
  authorities: ReadonlySet<string>;
  watches: Collection<Watch>;
  bus: Pick<EventBus, 'publish'>;
  clock: Clock;
  logger: Logger;
}

/** Every ten minutes, in one process: publishes which documents without a code their authority takes for at most 12 hours more. A crash repeats it, with the same ids. */
export const watchDeadlines = ({ watches, ...context }: WatchOptions): Pick<JobQueue, 'stop'> =>
  startWatch('deadlines', { ...context, watches, everyMs: EVERY_MS, look: () => lookThrough(context) });

type Looking = Pick<WatchOptions, 'rows' | 'notices' | 'authorities' | 'bus' | 'logger'> & { clock: Pick<Clock, 'now'> };

/** Looks once through what ends soon. Returns whether all was done: one that fails holds up no other. */
export async function lookThrough(context: Looking): Promise<boolean> {
  const { rows, notices, authorities, clock, logger } = context;
  let isDone = true;
  const over = await Array.fromAsync(notices.find({ deadline_at: { $lte: clock.now() } }, { limit: MOST_REMOVED }));
  await notices.write(over.map(({ _id }) => ({ delete: _id })));
  for (const env of ENVIRONMENTS)
    for (const authority of authorities) {
      const soon = { authority, env, deadline_at: { $gt: clock.now(), $lte: clock.now() + SOON_MS } };
      for await (const row of rows.find(soon, { sort: { deadline_at: 1 } }))
        await notice(context, row).catch((error: unknown) => {
          isDone = false;
          logger.error({ err: error, document: row._id }, 'a document near its legal end could not be published; it is tried again');
        });
    }
  return isDone;
}

async function notice({ notices, bus, clock }: Looking, { _id, account, env, authority, deadline_at }: Row): Promise<void> {
  if (!deadline_at || (await notices.get(_id))?.deadline_at === deadline_at) return;
  const time = firstUidAt(deadline_at - SOON_MS).padEnd(UID_LENGTH, '0');
  const uid = derivedUid(time, createHash('sha256').update(`${_id} ${deadline_at}`).digest());
  const kind = _id.startsWith('rcp_') ? ('receipt' as const) : ('invoice' as const);
  const data = { document_id: _id, kind, authority, deadline_at: iso(deadline_at) };
  const fields = { source: 'fiscal-submission', type: DocumentDeadlineNearV1.type, subject: _id, sequence: 1, data };
  await bus.publish(topics.fiscalRegistration, [enveloped({ account, env }, { uid, time: iso(clock.now()), ...fields })]);
  await notices.write([{ put: { _id, version: deadline_at, deadline_at } }]);
}
