import type { DomainEvent } from './decider.ts';
import { folding, StateCache, type Folded, type FoldingOptions } from './folding.ts';
import type { Ids } from './ids.ts';
import { DomainError } from './domain-error.ts';
import { Conflict, type After, type EventMetadata } from './stream.ts';
import { atOnce, soon, type Turn } from './turns.ts';

export interface CommandHandlerOptions<State, Command, Event extends DomainEvent> extends FoldingOptions<State, Command, Event> {
  /** Schema version that is written for each event type. */
  versions: Readonly<Record<Event['type'], number>>;
  ids: Ids;
  /** The person whose data stand in the event's `personal`, for its metadata; undefined for an event without. Default: the command's `subject`. */
  subjectOf?(event: Event): string | undefined;
  cache?: StateCache<State>;
  /** The turn in which a stream is read where the caller of `load` or `handle` gives none. Default: `soon`. */
  turnOf?(stream: string): Turn;
}

export interface Handled<State, Event> extends Folded<State> {
  /** The events that this call appended; [] when nothing changed or the command was carried out before. */
  events: Event[];
  /** What the last of them carries. */
  after?: After;
}

const ATTEMPTS = 5;

/**
 * Reads a stream, folds it, decides and appends at the exact revision. Decides again after a conflict, at most five times, then throws
 * `service_unavailable`. A command id that the stream already holds returns the current state without a decision.
 */
export function createCommandHandler<State, Command, Event extends DomainEvent>(options: CommandHandlerOptions<State, Command, Event>) {
  const { streams, decider, versions, ids, subjectOf, cache = new StateCache<State>(), turnOf = () => soon } = options;
  const { empty, readOn, afterEach, appended } = folding(options);

  /**
   * The state as the store has it now: the cached state and the events after it, read in pieces and in turns. A stream that is not cached
   * waits for a turn before the first read, where others have read much in this one. Empty streams are cached too.
   */
  async function load(stream: string, turn = turnOf(stream)): Promise<Folded<State>> {
    const remembered = cache.get(stream);
    if (remembered && streams.known(stream) === remembered.revision) return remembered;
    const now = await (remembered
      ? readOn(stream, remembered, turn)
      : atOnce(
          turn,
          () => readOn(stream, empty, turn),
          ({ bytes }) => bytes,
        ));
    if (now !== remembered) cache.set(stream, now);
    return now;
  }

  /**
   * The events to append, and the state that they follow. The first attempt decides on the cached state (an uncached stream counts as empty),
   * because the append at its revision fails if another process has appended since, except where the store knows that the stream has another end. An error, no
   * change or a repeated command is not checked by an append, so these are decided again on the state in the store, unless it is known to be this one. So is every
   * attempt after a conflict.
   */
  async function decided(
    stream: string,
    { attempt, turn }: { attempt: number; turn: Turn | undefined },
    decide: (on: Folded<State>) => Promise<Event[]>,
  ): Promise<{ now: Folded<State>; events: Event[] }> {
    const cached = cache.get(stream) ?? empty;
    const isLast = (): boolean => streams.known(stream) === cached.revision;
    if (attempt === 1 && (streams.known(stream) === undefined || isLast())) {
      try {
        const events = await decide(cached);
        if (events.length > 0 || isLast()) return { now: cached, events };
      } catch (error) {
        if (isLast()) throw error;
      }
    }
    const now = await load(stream, turn);
    return { now, events: await decide(now) };
  }

  /**
   * `decideOn` makes the command from the state, its version and the bytes of its events; it may read what the command depends on, and is called
   * again after a conflict. It may throw a `DomainError` (unknown resource, stale If-Match), which `handle` rethrows. `turn` is the turn of the
   * request, if it has one.
   */
  async function handle(
    stream: string,
    decideOn: (state: State, version: number, bytes: number) => Command | Promise<Command>,
    metadata: Omit<EventMetadata, 'v'>,
    turn?: Turn,
  ): Promise<Handled<State, Event>> {
    const command = metadata.command_id;
    for (let attempt = 1; ; attempt += 1) {
      const { now, events } = await decided(stream, { attempt, turn }, async ({ state, revision, commands, bytes }) =>
        command && commands.has(command) ? [] : decider.decide(await decideOn(state, versionAt(revision), bytes), state),
      );
      if (events.length === 0) return { ...now, events };
      try {
        const states = afterEach(now, events);
        const next = events.map((event, n) => {
          const { type, data } = event;
          const subject = subjectOf?.(event);
          const v = versions[type as Event['type']];
          return { id: ids.next(), type, data, metadata: { ...metadata, ...(subject && { subject }), v }, after: states[n] };
        });
        const after = states.at(-1) as After;
        const folded = appended(now, { ...after, ...(await streams.append(stream, now.revision, next)) }, command);
        // Most new streams rest for a while: their states would live just long enough to make each garbage collection longer.
        if (now.revision !== 'none') cache.set(stream, folded);
        return { ...folded, events, after };
      } catch (error) {
        cache.delete(stream);
        if (!(error instanceof Conflict)) throw error;
        if (attempt === ATTEMPTS) throw crowded();
      }
    }
  }

  return { load, handle };
}

const crowded = (): DomainError =>
  new DomainError('service_unavailable', 'Others are changing this resource. Repeat the request.', undefined, 1);

export type CommandHandler<State, Command, Event extends DomainEvent> = ReturnType<typeof createCommandHandler<State, Command, Event>>;

/** A resource's version: the revision of its last event plus 1; 0 for an empty stream. */
export const versionAt = (revision: bigint | 'none'): number => (revision === 'none' ? 0 : Number(revision) + 1);
