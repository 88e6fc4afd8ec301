import type { Decider, DomainEvent } from './decider.ts';
import type { Uid } from './ids.ts';
import type { Folded } from './state-cache.ts';
import type { Appended, Recorded, Streams } from './stream.ts';
import type { Turn } from './turns.ts';

/** Events that are read of a stream that is read from its end. */
const LAST_EVENTS = 64;
/** Bytes of data that are parsed at once, unless a single event is larger: about a millisecond. */
const PIECE_BYTES = 64 * 1024;
/** Events that the first read requests. A server sends all of them, and what exceeds the piece is discarded. */
const FIRST_EVENTS = 16;
const MOST_EVENTS = 1_000;

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

/** What a command appended. */
interface Added<Event> extends Appended {
  events: Event[];
  command: Uid | undefined;
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

    /** The state after events that were just appended to `now`. */
    after(now: Folded<State>, { events, command, revision, bytes }: Added<Event>): Folded<State> {
      const commands = command ? lastOf(new Set(now.commands).add(command)) : now.commands;
      const kept = events.some((event) => isWhole?.(event)) ? 0 : now.bytes;
      return { state: events.reduce(evolve, now.state), revision, commands, bytes: kept + bytes };
    },
  };
}

/** Reads a stream in pieces of some 64 KiB. Awaits `turn` before it yields a piece, except for a stream that is one small piece. */
export async function* piecesOf(
  { read }: Pick<Streams, 'read'>,
  { stream, from = 0n, turn }: { stream: string; from?: bigint; turn: Turn },
): AsyncGenerator<Recorded[]> {
  let max = FIRST_EVENTS;
  for (let next = from; ;) {
    const piece = await read(stream, next, max, PIECE_BYTES);
    const last = piece.at(-1);
    if (last === undefined) return;
    const bytes = piece.reduce((sum, event) => sum + event.bytes, 0);
    const isLast = piece.length < max && bytes < PIECE_BYTES;
    if (!isLast || next > from) await turn(bytes);
    yield piece;
    if (isLast) return;
    next = last.revision + 1n;
    max = Math.min(MOST_EVENTS, Math.ceil((2 * PIECE_BYTES * piece.length) / Math.max(1, bytes)));
  }
}
