import { type SettingChange, SettingChangedV1 } from '@svc/contracts/audit/setting-changed';
import { enveloped, type PublicEvent } from '@svc/contracts/events/envelope';
import { type Collection, compareAndSet, type JobQueue, startJobs } from '@svc/document-store';
import type { EventBus } from '@svc/event-bus';
import type { Clock, Env } from '@svc/kernel';
import { jobsWork } from '../background/work.ts';
import type { BackgroundWork } from '../background/background.ts';
import type { Logger } from '../logging/logger.ts';
import type { Audited } from './audited.ts';

export interface PublishChangesOptions<D extends Audited> {
  /** In health checks: `settings of members`. */
  name: string;
  /** The service. */
  source: string;
  collection: Collection<D>;
  /** Account of a document; the environment where it is of one. */
  accountOf(doc: D): { account: string; env?: Env };
  bus: Pick<EventBus, 'publish'>;
  clock: Clock;
  logger: Logger;
  /** What else is due, once the changes are published. Called again after a crash. */
  alsoDue?(docs: D[]): Promise<void>;
  /** When the document is due again once all is published, in milliseconds since 1970; null (also where this is absent): it is not. 'gone': it is deleted. */
  afterwards?(doc: D): number | null | 'gone';
  /** As of a job queue. */
  holder?: string | undefined;
  batch?: number;
  /** Gets the queue when it starts, to wake it. */
  started?(queue: JobQueue): void;
}

/** The event that has a change. `source`: the service. */
export const settingEvent = ({ account, env }: { account: string; env: Env }, source: string, change: SettingChange): PublicEvent =>
  enveloped(
    { account, env },
    { uid: change.id, source, type: SettingChangedV1.type, subject: account, time: change.at, sequence: 1, data: change },
  );

/** Publishes the changes that documents carry, at least once each, then takes them out of the document. */
export function publishesChanges<D extends Audited>(options: PublishChangesOptions<D>): BackgroundWork {
  const { name, source, collection, accountOf, bus, clock, logger, alsoDue, afterwards = () => null, holder, batch, started } = options;
  const queue = {
    name: `due:${name}`,
    collection,
    clock,
    logger,
    ...(holder !== undefined && { holder }),
    ...(batch !== undefined && { batch }),
  };

  const eventsOf = (doc: D): PublicEvent[] =>
    (doc.unpublished ?? []).map((change) => {
      const { account, env = 'live' } = accountOf(doc);
      return settingEvent({ account, env }, source, change);
    });

  async function settle(doc: D): Promise<void> {
    const published = new Set(doc.unpublished?.map(({ id }) => id));
    const change = (now: D): Partial<D> => {
      const unpublished = now.unpublished?.filter(({ id }) => !published.has(id)) ?? [];
      const due = unpublished.length > 0 ? clock.now() : afterwards(now);
      return { unpublished: unpublished.length > 0 ? unpublished : undefined, due_at: due === 'gone' ? clock.now() : due } as Partial<D>;
    };
    const { doc: left } = await compareAndSet<D, undefined>(collection, doc._id, { absent: () => undefined, change });
    if (left && !left.unpublished && afterwards(left) === 'gone') await collection.write([{ delete: left._id, version: left.version }]);
  }

  async function handle(docs: D[]): Promise<void> {
    await bus.publish(SettingChangedV1.topic, docs.flatMap(eventsOf));
    await alsoDue?.(docs);
    for (const doc of docs) await settle(doc);
  }
  return jobsWork(name, collection, clock, () => {
    const jobs = startJobs({ ...queue, handle });
    started?.(jobs);
    return jobs;
  });
}
