import type { DomainEvent } from './decider.ts';
import type { Recorded } from './stream.ts';
import { UnknownEvent } from './unknown-event.ts';

/** From the stored shape of version n to that of n + 1. */
export type Upcast = (data: never) => object;

/**
 * The codec of one aggregate's events: `versions` has the version written today for each type, `upcasts` (`InvoiceNumbered.1` leads
 * from 1 to 2) what older ones need.
 */
export function storedEvents<Event extends DomainEvent>(versions: Record<Event['type'], number>, upcasts: Record<string, Upcast> = {}) {
  const today = new Map<string, number>(Object.entries(versions));
  return {
    versionOf: (type: Event['type']): number => versions[type],
    /** Throws `UnknownEvent`. */
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
