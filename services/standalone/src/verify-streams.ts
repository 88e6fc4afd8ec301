import type { Engine } from '@svc/embedded';
import type { Problems } from './verify-events.ts';

/** Each event with the one before it in its stream. Read by the index, so that no stream is held in memory. */
const WITHOUT_PREDECESSOR = `
  SELECT later.position, later.revision, before.position AS before FROM events later
  LEFT JOIN events before ON before.stream = later.stream AND before.revision = later.revision - 1
  WHERE later.revision > 0 AND (before.position IS NULL OR before.position > later.position)`;

/** Adds streams that lack an event, or that have one before its predecessor. */
export function verifyStreams(engine: Pick<Engine, 'sql'>, problems: Problems): void {
  for (const { position, revision, before } of engine.sql(WITHOUT_PREDECESSOR).iterate()) {
    const stream = String(engine.sql('SELECT stream FROM recorded_events WHERE position = ?').get(Number(position))?.['stream']);
    if (before === null) problems.add(`${stream} has no event ${Number(revision) - 1}`);
    else problems.add(`${stream} has event ${Number(revision) - 1} behind event ${String(revision)}`);
  }
}
