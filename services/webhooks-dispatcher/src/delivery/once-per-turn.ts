import { setImmediate } from 'node:timers';

/**
 * Reads a document once for all who ask for it in the same turn of the event loop: the attempts that start together after a commit, mostly to one
 * endpoint. Who asks in a later turn gets what is stored then.
 */
export function oncePerTurn<D>(read: (id: string) => Promise<D>): (id: string) => Promise<D> {
  const asked = new Map<string, Promise<D>>();
  return (id) => {
    const known = asked.get(id);
    if (known) return known;
    if (asked.size === 0) setImmediate(() => asked.clear());
    const reading = read(id);
    asked.set(id, reading);
    return reading;
  };
}
