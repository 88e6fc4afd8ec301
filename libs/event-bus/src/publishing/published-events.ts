import type { PublicEvent } from '@svc/contracts/events/envelope';
import { type Env, MOST_STATE_BYTES, piecesOf, prefixed, type Recorded, streamOf, type Turn } from '@svc/kernel';
import { publicEvents, type PublicationsFromOptions } from './publication.ts';
import type { Publisher } from './publisher.ts';

/** Events of one resource that were published. */
export interface Wanted {
  /** Of the resource's stream. */
  category: string;
  env: Env;
  account: string;
  subject: string;
  /** The sequence of each event, by its id. */
  sequences: ReadonlyMap<string, number>;
}

export interface Found {
  /** By id. Each is made when its function is called: as it was published, without the personal data of customers who were erased since. */
  events: ReadonlyMap<string, () => PublicEvent>;
  /** About as many bytes of memory as they take. */
  bytes: number;
}

/**
 * Finds published events in the store again. Reads their stream once, in pieces that await their `turn`, and returns the last of them: those that add
 * at most 512 KiB to the first that is returned. An event that the stream does not have is not found.
 */
export type PublishedEvents = (wanted: Wanted, turn: Turn) => Promise<Found>;

interface Event {
  recorded: Recorded;
  state: unknown;
  /** Of the stored events up to it. */
  bytes: number;
}

/** States share what no event in between has changed, so each adds at most the bytes of these events. */
const ADDED_BYTES = 512 * 1024;
const atOnce: Turn = async () => undefined;

/** The published events of these publishers, where their ids are those of the stored events. */
export function publishedEvents({
  source,
  store,
  publishers,
}: Pick<PublicationsFromOptions, 'source' | 'store' | 'publishers'>): PublishedEvents {
  const byCategory = new Map(publishers.map((publisher) => [publisher.category, publisher]));

  /** Where reading begins: at the first wanted event if it holds the whole state, since its stream may have any length. */
  async function beginning(stream: string, { isWhole }: Publisher, sequences: Wanted['sequences']): Promise<bigint> {
    if (!isWhole) return 0n;
    const from = BigInt(Math.min(...sequences.values()) - 1); // a resource counts no more versions than its stream has events
    const [first] = await store.read(stream, from, 1);
    return first && isWhole(first) ? from : 0n;
  }

  return async ({ category, env, account, subject, sequences }, turn) => {
    const publisher = byCategory.get(category);
    if (!publisher || sequences.size === 0) return { events: new Map(), bytes: 0 };
    const stream = streamOf(category, env, account, subject);
    const found: Event[] = [];
    let [state, bytes, left] = [publisher.initialState, 0, sequences.size];
    for await (const piece of piecesOf(store, { stream, from: await beginning(stream, publisher, sequences), turn: atOnce })) {
      await turn(bytesOf(piece));
      for (const recorded of piece) {
        state = publisher.evolve(state, recorded);
        bytes += recorded.bytes;
        if (!sequences.has(prefixed('evt', recorded.id))) continue;
        found.push({ recorded, state, bytes });
        left -= 1;
        while (found.length > 1 && bytes - (found[0] as Event).bytes > ADDED_BYTES) found.shift();
      }
      if (left === 0) break;
    }
    return { events: new Map(found.map((event) => lazily(source, publisher, event))), bytes: memoryOf(found) };
  };
}

const bytesOf = (piece: readonly Recorded[]): number => piece.reduce((sum, { bytes }) => sum + bytes, 0);

const memoryOf = ([first, ...others]: readonly Event[]): number =>
  first ? Math.min(MOST_STATE_BYTES, first.bytes) + (others.at(-1) ?? first).bytes - first.bytes : 0;

function lazily(source: string, { publish }: Publisher, { recorded, state }: Event): [string, () => PublicEvent] {
  const id = prefixed('evt', recorded.id);
  return [id, () => publicEvents(source, recorded, publish(recorded, state)).find((event) => event.id === id) as PublicEvent];
}
