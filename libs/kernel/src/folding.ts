import { LRUCache } from 'lru-cache';
import type { Decider, DomainEvent } from './decider.ts';
import type { Uid } from './ids.ts';
import { piecesOf, type After, type Appended, type Recorded, type Streams } from './stream.ts';
import type { Turn } from './turns.ts';

/** The state of one stream, folded from its events. */
export interface Folded<State> {
  state: State;
  revision: bigint | 'none';
  /** Command ids of the events in the stream; for a stream that is read from its end, those of its last events. */
  commands: ReadonlySet<Uid>;
  /** Stored bytes of the data of all events that the state was folded from. */
  bytes: number;
}

/** Events that are read of a stream that is read from its end. */
const LAST_EVENTS = 64;

export interface FoldingOptions<State, Command, Event extends DomainEvent> {
  streams: Streams;
  decider: Decider<State, Command, Event>;
  /** Stored JSON to today's event (upcasting). Throws on an unknown type, so that nothing is decided on incomplete state. */
  decode(recorded: Recorded): Event;
  /**
   * True for an event that holds the whole state after it. A stream with such events may have any length: only its end is read, and a
   * repeated command is recognized while at most 64 events follow its own.
   */
  isWhole?(event: Event): boolean;
}

/** Folds the state of a stream from its events: those that are read, and those that were just appended. */
export function folding<State, Command, Event extends DomainEvent>({
  streams,
  decider: { initialState, evolve },
  decode,
  isWhole,
}: FoldingOptions<State, Command, Event>) {
  const empty: Folded<State> = { state: initialState, revision: 'none', commands: new Set(), bytes: 0 };

  /** The state and bytes that an event builds on: none if the event holds the whole state. */
  const before = ({ state, bytes }: Pick<Folded<State>, 'state' | 'bytes'>, event: Event) =>
    isWhole?.(event) ? { state: initialState, bytes: 0 } : { state, bytes };

  function fold(onto: Folded<State>, news: readonly Recorded[]): Folded<State> {
    let folded = { state: onto.state, bytes: onto.bytes };
    let { revision } = onto;
    const commands = new Set(onto.commands);
    for (const recorded of news) {
      const event = decode(recorded);
      const { state, bytes } = before(folded, event);
      folded = { state: evolve(state, event), bytes: bytes + recorded.bytes };
      ({ revision } = recorded);
      if (recorded.metadata.command_id) commands.add(recorded.metadata.command_id);
    }
    return { ...folded, revision, commands: lastOf(commands) };
  }

  /** The command ids that are recognized when repeated: all of a stream, or those of its last events. */
  const lastOf = (commands: Set<Uid>): ReadonlySet<Uid> =>
    isWhole && commands.size > LAST_EVENTS ? new Set([...commands].slice(-LAST_EVENTS)) : commands;

  /** Reads the last events, and all if these hold neither the first event nor a whole state. */
  async function readEnd(stream: string, turn: Turn): Promise<Folded<State>> {
    const last = await streams.tail(stream, LAST_EVENTS);
    const isEnough = last[0]?.revision === 0n || last.some((recorded) => isWhole?.(decode(recorded)));
    return isEnough ? fold(empty, last) : readAll(stream, empty, turn);
  }

  async function readAll(stream: string, known: Folded<State>, turn: Turn): Promise<Folded<State>> {
    let folded = known;
    const from = known.revision === 'none' ? 0n : known.revision + 1n;
    for await (const piece of piecesOf(streams, { stream, from, turn })) folded = fold(folded, piece);
    return folded;
  }

  return {
    empty,

    /** The state of the stream now: `known` and the events after it; `known` itself if there are none. */
    async readOn(stream: string, known: Folded<State>, turn: Turn): Promise<Folded<State>> {
      if (!isWhole) return readAll(stream, known, turn);
      if (known.revision === 'none') {
        const folded = await readEnd(stream, turn);
        return folded.revision === 'none' ? known : folded;
      }
      const news = await streams.read(stream, known.revision + 1n, LAST_EVENTS);
      if (news.length === LAST_EVENTS) return readEnd(stream, turn); // others have appended many events
      return news.length === 0 ? known : fold(known, news);
    },

    /** The state after each of the events, which are to be appended to `now`. */
    afterEach({ state, bytes }: Folded<State>, events: readonly Event[]): After[] {
      return events.map((event) => {
        ({ state, bytes } = before({ state, bytes }, event));
        state = evolve(state, event);
        return { state, bytesBefore: bytes };
      });
    },

    /** The state of the stream after events that were just appended to `now`; `last`: after the last of them. */
    appended(now: Folded<State>, last: After & Appended, command: Uid | undefined): Folded<State> {
      const commands = command ? lastOf(new Set(now.commands).add(command)) : now.commands;
      return { state: last.state as State, revision: last.revision, commands, bytes: last.bytesBefore + last.bytes };
    },
  };
}

/** Memory of one entry besides its events: the map entry and the name of the stream. */
const ENTRY_BYTES = 512;
const COMMAND_BYTES = 100;
/** Counted as JSON; the folded objects and the text of a resource take up to three times as much. */
const PROCESS_BYTES = 16 * 1_048_576;

/** Memory for folded states, bounded in bytes of their events. Evicts the states that were used least recently; keeps none that is larger. */
export type StateMemory = LRUCache<string, Folded<unknown>>;
export const stateMemory = (most: number): StateMemory => new LRUCache({ maxSize: most });

/** Shared by all caches of the process, so that memory does not grow with their number. */
const processMemory = stateMemory(PROCESS_BYTES);
let caches = 0;

/** The folded states of recently used streams. May be out of date: an append at the exact revision then fails, and the entry is dropped. */
export class StateCache<State> {
  /** Of the names in the memory: caches that share it do not see the states of each other. */
  private readonly prefix = `${(caches += 1)} `;
  private readonly memory: StateMemory;
  private readonly mostBytes: number;

  /** `mostBytes`: bound of the bytes that one state counts, for streams in which an event replaces what earlier ones held. */
  constructor({ memory = processMemory, mostBytes = Infinity }: { memory?: StateMemory; mostBytes?: number } = {}) {
    this.memory = memory;
    this.mostBytes = mostBytes;
  }

  get(stream: string): Folded<State> | undefined {
    return this.memory.get(this.prefix + stream) as Folded<State> | undefined;
  }

  set(stream: string, folded: Folded<State>): void {
    const size = ENTRY_BYTES + Math.min(folded.bytes, this.mostBytes) + COMMAND_BYTES * folded.commands.size;
    this.memory.set(this.prefix + stream, folded, { size });
  }

  delete(stream: string): void {
    this.memory.delete(this.prefix + stream);
  }
}

/**
 * A stored event of a type or version that this release does not know. The command handler rethrows this error and decides nothing; a
 * projection skips the event and counts it; consumers and the relay keep it for the release that knows it.
 */
export class UnknownEvent extends Error {
  override readonly name = 'UnknownEvent';
  constructor({ stream, type, metadata }: Pick<Recorded, 'stream' | 'type'> & { metadata: { v: number } }) {
    super(`${stream} holds ${type} v${metadata.v}, which this release does not know`);
  }
}

/** Converts the data of an event from version n to n + 1. */
export type Upcast = (data: never) => object;

/**
 * The codec of one aggregate's events. `versions`: the version that is written for each type. `upcasts`: conversions from the versions that
 * releases have stored, by type and version (`InvoiceNumbered.1` converts version 1 to 2).
 */
export function storedEvents<Event extends DomainEvent>(versions: Record<Event['type'], number>, upcasts: Record<string, Upcast> = {}) {
  const today = new Map<string, number>(Object.entries(versions));
  return {
    versions,
    /** Throws `UnknownEvent` on a type or version that is not in `versions`, or for a missing upcast. */
    decode(recorded: Recorded): Event {
      const last = today.get(recorded.type);
      let data = recorded.data;
      let v = recorded.metadata.v;
      if (last === undefined || v > last) throw new UnknownEvent(recorded);
      for (; v < last; v += 1) {
        const upcast = upcasts[`${recorded.type}.${v}`];
        if (!upcast) throw new UnknownEvent(recorded);
        data = upcast(data as never);
      }
      return { type: recorded.type, data } as Event;
    },
  };
}
