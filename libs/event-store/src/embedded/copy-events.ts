import type { Copying, Engine } from '@svc/embedded';
import type { EventMetadata } from '@svc/kernel';
import { eventsTable } from './events-table.ts';

// until 0.3: data folders of 0.1.0 have format 1

/** A row of the released format, which stays so whatever the table of today becomes. */
interface EventOfFirstFormat {
  position: number;
  stream: string;
  revision: number;
  id: string;
  type: string;
  data: string;
  metadata: string;
  recorded_at: number;
}

/** Copies the events of format 1, at their positions. */
export function copyEvents(engine: Engine): Copying {
  const table = eventsTable(engine);
  return {
    newest: () => Number(table.newest()) || undefined,
    copy: (rows) =>
      engine.write(() => {
        for (const row of rows as unknown as EventOfFirstFormat[]) {
          const { position, stream, revision, id, type, data: text, recorded_at } = row;
          const event = { id, type, data: {}, metadata: JSON.parse(row.metadata) as EventMetadata };
          table.insert(stream, revision, event, { data: text, bytes: Buffer.byteLength(text) }, recorded_at, position);
        }
      }),
  };
}
