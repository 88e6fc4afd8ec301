import { appendedState, StateCache, stateMemory, type Folded } from './folding.ts';
import { OutcomeUnknown, piecesOf, type Recorded, type Streams } from './stream.ts';
import type { Uid } from './ids.ts';
import { soon } from './turns.ts';

/** How a subscription folds one category's streams. */
export interface Fold<State> {
  initialState: State;
  /** May throw `UnknownEvent`. */
  evolve(state: State, recorded: Recorded): State;
  /** True for an event that holds the complete state after it. */
  isWhole?(recorded: Recorded): boolean;
}

/** The state after an event, and the stored bytes of the events that it was folded from. */
export type StateAfter<State> = Pick<Folded<State>, 'state' | 'bytes'>;

const NO_COMMANDS: ReadonlySet<Uid> = new Set();
/** Of all subscriptions of the process, besides that of commands, so that no account's requests evict what they need next. */
const memory = stateMemory(24 * 1_048_576);
/** A state counts at most this many bytes, however many its stream has: later events replace what earlier ones held. */
export const MOST_STATE_BYTES = 1_048_576;

/**
 * The state after each event of a subscription: as the command left it, where this process appended the event; else folded on from the state that
 * it remembers of the stream; else from the stream up to the event. Throws what `evolve` throws, and `OutcomeUnknown` where a read of the stream lags
 * behind the event.
 */
export function statesAfter(store: Pick<Streams, 'read'>): <State>(recorded: Recorded, fold: Fold<State>) => Promise<StateAfter<State>> {
  const states = new StateCache<unknown>({ memory, mostBytes: MOST_STATE_BYTES });

  async function before<State>({ stream, revision }: Recorded, { initialState, evolve }: Fold<State>): Promise<StateAfter<State>> {
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

  return async <State>(recorded: Recorded, fold: Fold<State>) => {
    const own = appendedState(recorded) as StateAfter<State> | undefined;
    if (own) return own;
    const { stream, revision } = recorded;
    const known = states.get(stream) as Folded<State> | undefined;
    const isNext = known && known.revision !== 'none' && known.revision + 1n === revision;
    // Before an event that holds the complete state nothing is read: its stream may be long.
    const isFirst = revision === 0n || fold.isWhole?.(recorded);
    const then = isFirst ? { state: fold.initialState, bytes: 0 } : isNext ? known : await before(recorded, fold);
    const after = { state: fold.evolve(then.state, recorded), bytes: then.bytes + recorded.bytes };
    states.set(stream, { ...after, revision, commands: NO_COMMANDS });
    return after;
  };
}
