import type { Collection } from '@svc/document-store';
import { categoryOf, idOf, UnknownEvent, versionAt, type Recorded } from '@svc/kernel';
import type { SubscriptionLog, SubscriptionOptions } from '../subscription/subscription.ts';
import { ordinalsAfter } from './ordinals.ts';
import type { Projection, Row } from './projection.ts';

/**
 * A subscription's handler that folds a batch into the projection's rows: reads the rows it needs once, writes each once, in the order
 * of their creation. Repeating a batch, or all of them, changes nothing: a row accepts only later versions, and keeps its ordinal.
 */
export function foldRows<R extends Row>(
  projection: Projection<R>,
  rows: Collection<R>,
  logger: SubscriptionLog,
): SubscriptionOptions['handle'] {
  return async (batch) => {
    const events = batch.filter(({ stream }) => categoryOf(stream) === projection.category);
    if (events.length === 0) return;
    const ordinals = projection.ordinals ? await ordinalsAfter(rows, events) : undefined; // before the rows are read: see there
    const found = await existing(rows, events);
    found.forEach((row) => ordinals?.seen(row));
    const changed = new Map<string, R>();
    for (const event of events) {
      const id = idOf(event.stream);
      const row = changed.get(id) ?? found.get(id);
      if (row && row.version >= versionAt(event.revision)) continue;
      const next = evolved(projection, row, event, logger);
      if (next) changed.set(id, ordinals ? { ...next, ordinal: row?.ordinal ?? ordinals.next(next) } : next);
    }
    await rows.write(Array.from(changed.values(), (put) => ({ put })));
  };
}

async function existing<R extends Row>(rows: Collection<R>, events: Recorded[]): Promise<Map<string, R>> {
  const ids = [...new Set(events.map(({ stream }) => idOf(stream)))];
  const found = new Map<string, R>();
  for await (const row of rows.find({ _id: { $in: ids } })) found.set(row._id, row);
  return found;
}

function evolved<R extends Row>(projection: Projection<R>, row: R | undefined, event: Recorded, logger: SubscriptionLog): R | undefined {
  try {
    return projection.evolve(row, event);
  } catch (error) {
    if (!(error instanceof UnknownEvent)) throw error;
    const { type, metadata } = event;
    logger.warn({ projection: projection.name, type, v: metadata.v }, 'an event that this release does not know was skipped');
    return undefined;
  }
}
