import type { Collection } from '@svc/document-store';
import type { EventStore, Row } from '@svc/event-store';
import { atOnce, idOf, JsonText, versionAt, type Turn } from '@svc/kernel';
import { LRUCache } from 'lru-cache';

/** Memory for what was read last: more lives long enough to be copied by the garbage collector, which costs as much as the read. */
const MOST_BYTES = 1_048_576;
/** Of it an entry without its text, and a character of the text at most. */
const [ROW_BYTES, CHARACTER_BYTES] = [1_024, 2];
/** Characters. What is longer waits for its turn without being held. */
const LARGE = 64 * 1_024;

/** Fields of a document's row in its list, as `Collection.indexed` reads them, and the resource in it. */
export interface StoredText<Fields> {
  row: Fields;
  text: JsonText;
}

export interface StoredTextsOptions<R extends Row, F extends keyof R> {
  store: Pick<EventStore, 'end'>;
  rows(): Pick<Collection<R>, 'indexed'>;
  fields: readonly F[];
  /** Events of a stream before the one that gives its document version 1. */
  eventsBefore: number;
}

/**
 * Documents as their list has them, where that is up to date with the end of their stream and the store knows that end: a read of one then folds no events. Returns
 * undefined where it is not, or where there is no such document. Throws what `turn` throws.
 */
export function storedTexts<R extends Row, F extends string & keyof R>({ store, rows, fields, eventsBefore }: StoredTextsOptions<R, F>) {
  type Found = Pick<R, F | 'version' | 'resource'>;
  const read = [...fields, 'resource'] as const;
  const kept = new LRUCache<string, StoredText<Found>>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ text }) => ROW_BYTES + CHARACTER_BYTES * text.text.length,
  });

  const isLast = (stream: string, version: number): boolean => {
    const end = store.end(stream);
    return end !== undefined && versionAt(end) === version;
  };

  async function lastRow(stream: string): Promise<Found | undefined> {
    if (store.end(stream) === undefined) return undefined;
    const [row] = await rows().indexed([idOf(stream)], read);
    return row && isLast(stream, row.version) ? row : undefined;
  }

  async function readRow(stream: string, turn: Turn): Promise<Found | undefined> {
    const row = await atOnce(
      turn,
      () => lastRow(stream),
      (found) => found?.resource.length ?? 0,
    );
    if (!row || row.resource.length <= LARGE) return row;
    const { length } = row.resource;
    return turn(length).then(() => lastRow(stream));
  }

  return async (stream: string, turn: Turn): Promise<StoredText<Pick<R, F>> | undefined> => {
    const known = kept.get(stream);
    if (known && isLast(stream, known.row.version)) return known;
    const row = await readRow(stream, turn);
    if (!row) return undefined;
    const found = { row, text: new JsonText(row.resource, row.version - eventsBefore) };
    kept.set(stream, found);
    return found;
  };
}
