import type { Decider, DomainEvent, Folded, Recorded, StateCache, Streams, Uid } from '@svc/kernel';

export interface ReaderOptions<State, Event extends DomainEvent> {
  streams: Pick<Streams, 'read'>;
  decider: Pick<Decider<State, never, Event>, 'initialState' | 'evolve'>;
  /** Throws on an event that this release does not know. */
  decode(recorded: Recorded): Event;
  /** Shared with the command handler. */
  cache: StateCache<State>;
}

/**
 * A stream's state as the store has it now. What the cache holds is only where reading begins: another replica may have gone on, so
 * the events after it are always asked for.
 */
export function createReader<State, Event extends DomainEvent>({ streams, decider, decode, cache }: ReaderOptions<State, Event>) {
  return async (stream: string): Promise<Folded<State>> => {
    const known = cache.get(stream) ?? { state: decider.initialState, revision: 'none' as const, commands: new Set<Uid>() };
    const news = await streams.read(stream, known.revision === 'none' ? undefined : known.revision + 1n);
    const last = news.at(-1);
    if (!last) return known;
    const commands = new Set(known.commands);
    let { state } = known;
    for (const event of news) {
      state = decider.evolve(state, decode(event));
      if (event.metadata.command_id) commands.add(event.metadata.command_id);
    }
    const folded = { state, revision: last.revision, commands };
    cache.set(stream, folded);
    return folded;
  };
}
