import { StateCache, stateMemory, type Folded } from './folding.ts';
import { OutcomeUnknown, piecesOf, type NewEvent, type Recorded, type Streams } from './stream.ts';
import type { Uid } from './ids.ts';
import { soon } from './turns.ts';

/** How a subscription folds one category's streams. */
export interface Fold<State> {
  initialState: State;
  /** May throw `UnknownEvent`. */
  evolve(state: State, recorded: Recorded): State;
  /** True for an event that holds the complete state after it. */
  isWhole?(recorded: Recorded): boolean;
  /** True: it is another state than commands fold, so that none is taken from an event. */
  isOwn?: true | undefined;
}

/** The state after an event, and the stored bytes of the events that it was folded from. */
export type StateAfter<State> = Pick<Folded<State>, 'state' | 'bytes'>;

const NO_COMMANDS: ReadonlySet<Uid> = new Set();
/** Of all subscriptions of the process, besides that of commands, so that no account's requests evict what they need next. */
const memory = stateMemory(24 * 1_048_576);
/** A state counts at most this many bytes, however many its stream has: later events replace what earlier ones held. */
export const MOST_STATE_BYTES = 1_048_576;

/** What is made of the state after an event: once, where the event carries it. It is not to be changed. */
export function madeAfter<Made extends object>({ after }: Pick<NewEvent, 'after'>, make: () => Made): Made {
  if (!after) return make();
  after.made ??= make();
  return after.made as Made;
}

/** Streams that are read at once. */
const AT_ONCE = 8;

export interface StatesAfter {
  /**
   * The state after an event of a subscription: as the event carries it, where this process appended it lately; else folded on from the state that it
   * remembers of the stream; else from the stream up to the event. Throws what `evolve` throws, and `OutcomeUnknown` where a read of the stream lags
   * behind the event.
   */
  after<State>(recorded: Recorded, fold: Fold<State>): Promise<StateAfter<State>>;
  /** The events in their order, for a loop that calls `after`: the streams that the next of them need are read meanwhile. */
  each(events: readonly Recorded[], foldOf: (recorded: Recorded) => Fold<unknown> | undefined): Iterable<Recorded>;
}

export function statesAfter(store: Pick<Streams, 'read'>): StatesAfter {
  const states = new StateCache<unknown>({ memory, mostBytes: MOST_STATE_BYTES });
  const reads = new WeakMap<Recorded, Promise<StateAfter<unknown>>>();

  /** The state before the event, where it is known without reading the stream. Before an event that holds the complete state nothing is read: its stream may be long. */
  function known<State>(recorded: Recorded, { initialState, isWhole }: Fold<State>): StateAfter<State> | undefined {
    const { stream, revision } = recorded;
    if (revision === 0n || isWhole?.(recorded)) return { state: initialState, bytes: 0 };
    const last = states.get(stream) as Folded<State> | undefined;
    return last && last.revision !== 'none' && last.revision + 1n === revision ? last : undefined;
  }

  async function readBefore<State>({ stream, revision }: Recorded, { initialState, evolve }: Fold<State>): Promise<StateAfter<State>> {
    let [state, bytes] = [initialState, 0];
    let last: bigint | undefined;
    for await (const piece of piecesOf(store, { stream, turn: soon })) {
      const earlier = piece.filter((event) => event.revision < revision);
      state = earlier.reduce(evolve, state);
      bytes += earlier.reduce((sum, event) => sum + event.bytes, 0);
      last = earlier.at(-1)?.revision ?? last;
      if (earlier.length < piece.length) break;
    }
    // The event itself was read, so a history that ends before it comes from a lagging read. An empty one may be a deleted stream.
    if (last !== undefined && last + 1n < revision)
      throw new OutcomeUnknown(`the events of ${stream} before ${revision} cannot all be read yet`);
    return { state, bytes };
  }

  function readAhead(recorded: Recorded, fold: Fold<unknown>): void {
    const read = readBefore(recorded, fold);
    reads.set(recorded, read);
    read.catch(() => reads.delete(recorded)); // read again when it is needed
  }

  return {
    async after<State>(recorded: Recorded, fold: Fold<State>) {
      const { after: own } = recorded;
      if (own && !fold.isOwn) return { state: own.state as State, bytes: own.bytesBefore + recorded.bytes };
      const read = reads.get(recorded) as Promise<StateAfter<State>> | undefined;
      const before = known(recorded, fold) ?? (await (read ?? readBefore(recorded, fold)));
      reads.delete(recorded);
      const after = { state: fold.evolve(before.state, recorded), bytes: before.bytes + recorded.bytes };
      states.set(recorded.stream, { ...after, revision: recorded.revision, commands: NO_COMMANDS });
      return after;
    },

    *each(events, foldOf) {
      let ahead = 0;
      for (const [n, recorded] of events.entries()) {
        for (; ahead < Math.min(n + AT_ONCE, events.length); ahead += 1) {
          const next = events[ahead] as Recorded;
          const follows = events.slice(n, ahead).some(({ stream }) => stream === next.stream);
          if (follows || reads.has(next)) continue;
          try {
            const fold = foldOf(next);
            if (next.after && !fold?.isOwn) continue;
            if (fold && !known(next, fold)) readAhead(next, fold);
          } catch {
            // `after` throws it in its turn.
          }
        }
        yield recorded;
      }
    },
  };
}
