import type { Engine } from '@svc/embedded';
import { parseExact, type NewEvent, type Position, type Recorded } from '@svc/kernel';
import { sizeOfBatch, type EncodedEvent } from '../event-bytes.ts';
import { BATCH } from '../port.ts';
import { metadataOf, shortMetadata } from '@svc/embedded/packing/short-metadata';
import { ShortNames } from '@svc/embedded/packing/names';

const DDL = `
  CREATE TABLE IF NOT EXISTS events(position INTEGER PRIMARY KEY AUTOINCREMENT, stream TEXT NOT NULL, revision INTEGER NOT NULL,
    id TEXT NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL, metadata TEXT NOT NULL, recorded_at INTEGER NOT NULL, bytes INTEGER);
  CREATE UNIQUE INDEX IF NOT EXISTS events_by_stream ON events(stream, revision)`;
const codedName = (text: string): string => `(SELECT name FROM names WHERE code = CAST(${text} AS INTEGER))`;
/** For people who look into a folder with SQL: names in place of codes. */
const VIEW = `
  CREATE VIEW IF NOT EXISTS recorded_events AS SELECT position, revision, id, recorded_at,
    CASE WHEN stream NOT GLOB '[0-9]*' THEN stream ELSE ${codedName('stream')} || '.' || ${codedName("substr(stream, instr(stream, '.') + 1)")}
      || substr(stream, instr(stream, '.') + instr(substr(stream, instr(stream, '.') + 1), '.')) END AS stream,
    ${codedName('type')} AS type,
    coalesce(metadata ->> '$.command_id', nullif(metadata ->> '$[1]', 0)) AS command_id,
    coalesce(metadata ->> '$.request_id', nullif(metadata ->> '$[2]', 0)) AS request_id FROM events`;
/** Bytes of the data where they are packed. */
const BYTES = 'coalesce(bytes, octet_length(data))';

interface Row {
  position: number;
  stream: string;
  revision: number;
  id: string;
  type: string;
  data: string;
  metadata: string;
  recorded_at: number;
}

const TABLE = 'events';

/**
 * The one table of events. Writes run only inside the engine's `write`. Revisions are numbers here, -1 where there is no stream. Streams, types and
 * metadata are stored in short forms (`ShortNames`, `shortMetadata`).
 */
export function eventsTable(engine: Engine) {
  engine.define(`${DDL}; ${VIEW}`);
  const names = new ShortNames(engine.names);
  const recordedOf = ({ position, stream: short, revision, id, type, data: stored, metadata, recorded_at: recordedAt }: Row): Recorded => {
    const data = engine.phrases.unpack(stored);
    const stream = names.streamOf(short);
    return {
      id,
      type: names.typeOf(type),
      data: parseExact(data) as object,
      metadata: metadataOf(stream, metadata),
      stream,
      revision: BigInt(revision),
      recordedAt,
      bytes: Buffer.byteLength(data),
      position: BigInt(position),
    };
  };
  const rows = (sql: string, ...values: (string | number)[]): Row[] => engine.sql(sql).all(...values) as unknown as Row[];

  return {
    newest(): Position {
      return BigInt((engine.sql('SELECT max(position) AS newest FROM events').get() as { newest: number | null }).newest ?? 0);
    },

    newestAt(): number | undefined {
      const [newest] = rows('SELECT * FROM events ORDER BY position DESC LIMIT 1');
      return newest === undefined ? undefined : recordedOf(newest).recordedAt;
    },

    headOf(stream: string): number {
      const found = engine.sql('SELECT revision FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1').get(names.find(stream));
      return (found as { revision: number } | undefined)?.revision ?? -1;
    },

    /** At most so many, up to the one with which their data reach so many bytes. */
    ofStream(stream: string, from: number, { max, bytes }: { max: number; bytes: number }): Recorded[] {
      const ofIt = engine.sql('SELECT * FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT CAST(? AS INTEGER)');
      const found: Recorded[] = [];
      let sum = 0;
      for (const row of ofIt.iterate(names.find(stream), from, max)) {
        const recorded = recordedOf(row as unknown as Row);
        found.push(recorded);
        sum += recorded.bytes;
        if (sum >= bytes) break;
      }
      return found;
    },

    last: (stream: string, max: number): Recorded[] =>
      rows('SELECT * FROM events WHERE stream = ? ORDER BY revision DESC LIMIT CAST(? AS INTEGER)', names.find(stream), max)
        .map(recordedOf)
        .reverse(),

    /** A batch of the events after a position, up to `head`. */
    between(position: Position, head: Position): Recorded[] {
      const [from, to] = [Number(position), Number(head)];
      const range = 'WHERE position > ? AND position <= ? ORDER BY position LIMIT CAST(? AS INTEGER)';
      const sizes = engine.sql(`SELECT ${BYTES} AS bytes FROM events ${range}`);
      const max = sizeOfBatch(sizes.all(from, to, BATCH) as unknown as { bytes: number }[]);
      return rows(`SELECT * FROM events ${range}`, from, to, max).map(recordedOf);
    },

    /** Resolves when what a read of the stream shows is on the disk; undefined when it is. */
    syncOf: (stream: string): Promise<void> | undefined => engine.syncOf(TABLE, stream),

    /** True when exactly these events, by their ids, are stored from `revision` on: a repeated append. */
    holds(stream: string, revision: number, events: readonly NewEvent[]): boolean {
      const found = rows(
        'SELECT id FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT CAST(? AS INTEGER)',
        names.find(stream),
        revision,
        events.length,
      );
      return found.length === events.length && found.every(({ id }, n) => id === events[n]?.id);
    },

    /** Before the write of an append: see `ShortNames`. */
    recall: (stream: string, events: readonly NewEvent[]): void => names.recall(stream, events),

    /** `position`: null for the next one. */
    insert(
      stream: string,
      revision: number,
      event: NewEvent,
      { data, bytes }: EncodedEvent,
      recordedAt: number,
      position: number | null = null,
    ): Recorded {
      const { id, type, metadata } = event;
      engine.wrote(TABLE, stream);
      const stored = engine.phrases.pack(data);
      const { lastInsertRowid } = engine
        .sql(
          'INSERT INTO events(position, stream, revision, id, type, data, metadata, recorded_at, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
        )
        .run(
          ...[position, names.add(stream), revision, id, names.addType(type), stored],
          ...[shortMetadata(stream, metadata), recordedAt, stored === data ? null : bytes],
        );
      return { ...event, stream, revision: BigInt(revision), recordedAt, bytes, position: BigInt(lastInsertRowid) };
    },

    /** Removes what a failed append has written, so that the rest of the turn's transaction continues. */
    undo(stream: string, from: number): void {
      engine.sql('DELETE FROM events WHERE stream = ? AND revision >= ?').run(names.find(stream), from);
    },
  };
}
