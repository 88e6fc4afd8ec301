import type { DomainEvent } from './decider.ts';
import type { Recorded } from './stream.ts';

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
