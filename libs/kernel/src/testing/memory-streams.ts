import { Conflict, type Appended, type NewEvent, type Recorded, type Streams } from '../stream.ts';

/** Size of every event in these streams. */
export const BYTES = 20;

/** Streams in memory. `before` runs before each append, so that a test can append first. */
export function memoryStreams() {
  const events: Recorded[] = [];
  const streams = {
    reads: 0,
    appends: 0,
    before: (): void => undefined,
    async read(stream: string, from = 0n, max = Infinity, bytes = Infinity): Promise<Recorded[]> {
      streams.reads += 1;
      const found = events.filter((event) => event.stream === stream && event.revision >= from).slice(0, max);
      return found.slice(0, Math.ceil(bytes / BYTES));
    },
    async tail(stream: string, max: number): Promise<Recorded[]> {
      streams.reads += 1;
      return events.filter((event) => event.stream === stream).slice(-max);
    },
    known: (_stream: string): bigint | 'none' | undefined => undefined,
    async append(stream: string, expected: bigint | 'none', added: NewEvent[]): Promise<Appended> {
      streams.appends += 1;
      streams.before();
      const actual = streams.revision(stream);
      if (actual !== expected) throw new Conflict(stream, expected, actual);
      for (const event of added) streams.put(stream, event);
      return { revision: streams.revision(stream) as bigint, bytes: added.length * BYTES };
    },
    put(stream: string, event: NewEvent): void {
      const last = streams.revision(stream);
      events.push({
        ...event,
        stream,
        revision: last === 'none' ? 0n : last + 1n,
        recordedAt: 0,
        bytes: BYTES,
        position: BigInt(events.length + 1),
      });
    },
    revision: (stream: string): bigint | 'none' => events.findLast((event) => event.stream === stream)?.revision ?? 'none',
    events,
  };
  return streams satisfies Streams;
}
