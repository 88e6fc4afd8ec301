import type { Decider, DomainEvent } from './decider.ts';
import type { Uid } from './ids.ts';
import type { Folded } from './state-cache.ts';
import { piecesOf } from './stream-pieces.ts';
import type { Appended, Recorded, Streams } from './stream.ts';
import type { Turn } from './turns.ts';

/** Of a stream that is read from its end. */
const LAST_EVENTS = 64;

export interface FoldingOptions<State, Command, Event extends DomainEvent> {
  streams: Streams;
  decider: Decider<State, Command, Event>;
  /** Stored JSON to today's event (upcasting). Throws on a type it does not know: the write side never guesses. */
  decode(recorded: Recorded): Event;
  /**
   * True for an event that holds all of the state after it. Streams of such events may have any length: only their end is read, and a
   * command is known again while no more than 64 events came after its own.
   */
  isWhole?(event: Event): boolean;
}

/** What a command appended. */
interface Added<Event> extends Appended {
  events: Event[];
  command: Uid | undefined;
}

/** How the state of a stream comes from its events: read, or just appended. */
export function folding<State, Command, Event extends DomainEvent>({
  streams,
  decider: { initialState, evolve },
  decode,
  isWhole,
}: FoldingOptions<State, Command, Event>) {
  const unborn: Folded<State> = { state: initialState, revision: 'none', commands: new Set(), bytes: 0 };

  /** The state before an event and the bytes that it took: nothing of them stays where the event holds all. */
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

  /** Commands that are known again: all of a stream, or those of its last events. */
  const lastOf = (commands: Set<Uid>): ReadonlySet<Uid> =>
    isWhole && commands.size > LAST_EVENTS ? new Set([...commands].slice(-LAST_EVENTS)) : commands;

  /** The end of a stream is enough where it holds a whole state; it may be older than those, and short then. */
  async function readEnd(stream: string, turn: Turn): Promise<Folded<State>> {
    const last = await streams.tail(stream, LAST_EVENTS);
    const isEnough = last[0]?.revision === 0n || last.some((recorded) => isWhole?.(decode(recorded)));
    return isEnough ? fold(unborn, last) : readAll(stream, unborn, turn);
  }

  async function readAll(stream: string, known: Folded<State>, turn: Turn): Promise<Folded<State>> {
    let folded = known;
    const from = known.revision === 'none' ? 0n : known.revision + 1n;
    for await (const piece of piecesOf(streams, { stream, from, turn })) folded = fold(folded, piece);
    return folded;
  }

  return {
    unborn,

    /** `known` and what came after it; `known` itself where nothing did. */
    async readOn(stream: string, known: Folded<State>, turn: Turn): Promise<Folded<State>> {
      if (!isWhole) return readAll(stream, known, turn);
      if (known.revision === 'none') {
        const folded = await readEnd(stream, turn);
        return folded.revision === 'none' ? known : folded;
      }
      const news = await streams.read(stream, known.revision + 1n, LAST_EVENTS);
      if (news.length === LAST_EVENTS) return readEnd(stream, turn); // others went on for long
      return news.length === 0 ? known : fold(known, news);
    },

    after(now: Folded<State>, { events, command, revision, bytes }: Added<Event>): Folded<State> {
      const commands = command ? lastOf(new Set(now.commands).add(command)) : now.commands;
      const kept = events.some((event) => isWhole?.(event)) ? 0 : now.bytes;
      return { state: events.reduce(evolve, now.state), revision, commands, bytes: kept + bytes };
    },
  };
}
