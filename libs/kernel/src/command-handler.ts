import type { DomainEvent } from './decider.ts';
import { folding, type FoldingOptions } from './folding.ts';
import type { Ids } from './ids.ts';
import { Refusal } from './refusal.ts';
import { StateCache, type Folded } from './state-cache.ts';
import { Conflict, type EventMetadata } from './stream.ts';
import { soon, type Turn } from './turns.ts';

export interface CommandHandlerOptions<State, Command, Event extends DomainEvent> extends FoldingOptions<State, Command, Event> {
  /** Version of the shape that is written for each event type. */
  versionOf(type: Event['type']): number;
  ids: Ids;
  cache?: StateCache<State>;
  /** In which a stream is read, where the caller gives no turn of its own; background work goes on soon. */
  turnOf?(stream: string): Turn;
}

export interface Handled<State, Event> extends Folded<State> {
  /** What this call appended; [] when nothing changed or the command was carried out before. */
  events: Event[];
}

const ATTEMPTS = 5;

/**
 * Read → fold → decide → append at the exact revision → fold on. A conflict is decided again, at most five times, then refused
 * with `service_unavailable`. A command id that the stream already holds is answered from the state, and nothing is decided.
 */
export function createCommandHandler<State, Command, Event extends DomainEvent>(options: CommandHandlerOptions<State, Command, Event>) {
  const { streams, decider, versionOf, ids, cache = new StateCache<State>(), turnOf = () => soon } = options;
  const { unborn, readOn, after } = folding(options);

  /**
   * The state as the store has it now: what is remembered, and what came after it. Read in pieces, in turns; a stream that is not remembered
   * waits for a turn first. That a stream is empty is remembered too: a read of it has nothing to share out.
   */
  async function load(stream: string, turn = turnOf(stream)): Promise<Folded<State>> {
    const remembered = cache.get(stream);
    if (!remembered) await turn(0);
    const now = await readOn(stream, remembered ?? unborn, turn);
    if (now !== remembered) cache.set(stream, now);
    return now;
  }

  /**
   * What is to be appended, and on which state. What is remembered (of a stream never met: that it is not there) decides only what an
   * append at its revision will judge: an error, a change of nothing and a repeated command are answered from what the store has now,
   * for others may have gone on (what cannot happen to the state that is remembered may well happen to the one that is); so is everything once an
   * append was in conflict.
   */
  async function decided(
    stream: string,
    { attempt, turn }: { attempt: number; turn: Turn | undefined },
    decide: (on: Folded<State>) => Event[],
  ): Promise<{ now: Folded<State>; events: Event[] }> {
    if (attempt === 1) {
      const guess = cache.get(stream) ?? unborn;
      const events = guessed(() => decide(guess));
      if (events.length > 0) return { now: guess, events };
    }
    const now = await load(stream, turn);
    return { now, events: decide(now) };
  }

  /**
   * `decideOn` makes the command from the state just read, its version and the bytes of its events; it may throw a refusal (unknown
   * resource, stale If-Match). `turn`: as the caller has it, where a request does.
   */
  async function handle(
    stream: string,
    decideOn: (state: State, version: number, bytes: number) => Command,
    metadata: Omit<EventMetadata, 'v'>,
    turn?: Turn,
  ): Promise<Handled<State, Event>> {
    const command = metadata.command_id;
    for (let attempt = 1; ; attempt += 1) {
      const { now, events } = await decided(stream, { attempt, turn }, ({ state, revision, commands, bytes }) =>
        command && commands.has(command) ? [] : decider.decide(decideOn(state, versionAt(revision), bytes), state),
      );
      if (events.length === 0) return { ...now, events };
      try {
        const next = events.map(({ type, data }) => ({ id: ids.next(), type, data, metadata: { ...metadata, v: versionOf(type) } }));
        const folded = after(now, { events, command, ...(await streams.append(stream, now.revision, next)) });
        cache.set(stream, folded);
        return { ...folded, events };
      } catch (error) {
        cache.delete(stream);
        if (!(error instanceof Conflict)) throw error;
        if (attempt === ATTEMPTS) throw crowded();
      }
    }
  }

  return { load, handle };
}

/** The events that the work comes to; none where it throws. */
function guessed<Event>(work: () => Event[]): Event[] {
  try {
    return work();
  } catch {
    return [];
  }
}

const crowded = (): Refusal => new Refusal('service_unavailable', 'Others are changing this resource. Repeat the request.', undefined, 1);

export type CommandHandler<State, Command, Event extends DomainEvent> = ReturnType<typeof createCommandHandler<State, Command, Event>>;

/** A resource's version counts from 1: one more than the revision of its last event; 0 where there is no stream. */
export const versionAt = (revision: bigint | 'none'): number => (revision === 'none' ? 0 : Number(revision) + 1);
