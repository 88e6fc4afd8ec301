import type { Collection } from '@svc/document-store';
import { UnknownEvent, versionAt, type Recorded } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { Handle } from '../following/following.ts';
import { categoryOf, idOf } from '../streams.ts';
import { ordinalsAfter } from './ordinals.ts';
import type { Row, View } from './view.ts';

/**
 * A follower's handler that folds a batch into the view's rows: reads the rows it needs once, writes each once, in the order in which
 * they came to be. Repeating a batch, or all of them, writes nothing that is not there: a row takes only later versions, and keeps
 * its ordinal.
 */
export function foldRows<R extends Row>(view: View<R>, rows: Collection<R>, logger: Logger): Handle {
  return async (batch) => {
    const events = batch.filter(({ stream }) => categoryOf(stream) === view.category);
    if (events.length === 0) return;
    const ordinals = view.ordinals ? await ordinalsAfter(rows, events) : undefined; // before the rows are read: see there
    const found = await existing(rows, events);
    found.forEach((row) => ordinals?.seen(row));
    const changed = new Map<string, R>();
    for (const event of events) {
      const id = idOf(event.stream);
      const row = changed.get(id) ?? found.get(id);
      if (row && row.version >= versionAt(event.revision)) continue;
      const next = evolved(view, row, event, logger);
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

function evolved<R extends Row>(view: View<R>, row: R | undefined, event: Recorded, logger: Logger): R | undefined {
  try {
    return view.evolve(row, event);
  } catch (error) {
    if (!(error instanceof UnknownEvent)) throw error;
    logger.warn({ view: view.name, type: event.type, v: event.metadata.v }, 'an event that this release does not know was skipped');
    return undefined;
  }
}
