import { TOMBSTONE, type StoredEvent } from './event-bytes.ts';

/** The part of an event that is kept in memory; its bytes are read from the file. */
export interface Entry {
  /** Its index in $all, from 0. */
  ordinal: number;
  position: number;
  /** Size of its message in bytes. */
  size: number;
  id: string;
  stream: Stream;
  revision: number;
  type: string;
  created: number;
}

export interface Stream {
  name: string;
  /** By revision, without the tombstone. */
  events: Entry[];
  tombstone: Entry | undefined;
  rules: Rules;
  /** Its metadata, JSON. */
  metadata: string;
}

/** Which events a stream's metadata hides. */
export interface Rules {
  truncateBefore: number;
  maxCount: number;
  /** Milliseconds. */
  maxAge: number;
}

const NO_RULES: Rules = { truncateBefore: 0, maxCount: Infinity, maxAge: Infinity };
/** Only the last event of a metadata stream is visible. */
const METASTREAM_RULES: Rules = { ...NO_RULES, maxCount: 1 };

/** All events in order, and by stream. */
export class EventIndex {
  readonly all: Entry[] = [];
  private readonly streams = new Map<string, Stream>();
  private readonly types = new Map<string, string>();

  add(event: StoredEvent, size: number): Entry {
    const stream = this.streamFor(event.stream);
    const { id, position, revision, created } = event;
    const entry: Entry = { ordinal: this.all.length, position, size, id, stream, revision, type: this.shared(event.type), created };
    this.all.push(entry);
    if (revision === TOMBSTONE) stream.tombstone = entry;
    else stream.events.push(entry);
    if (event.type === '$metadata' && event.stream.startsWith('$$'))
      this.describe(event.stream.slice(2), Buffer.from(event.data).toString());
    return entry;
  }

  stream(name: string): Stream | undefined {
    return this.streams.get(name);
  }

  /** The ordinal of the first event at this position or after it. */
  ordinalAt(position: number): number {
    let low = 0;
    let high = this.all.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.all[middle]?.position ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private describe(name: string, metadata: string): void {
    const stream = this.streamFor(name);
    stream.metadata = metadata;
    stream.rules = rulesOf(metadata);
  }

  private streamFor(name: string): Stream {
    let stream = this.streams.get(name);
    if (stream === undefined) {
      stream = { name, events: [], tombstone: undefined, rules: name.startsWith('$$') ? METASTREAM_RULES : NO_RULES, metadata: '{}' };
      this.streams.set(name, stream);
    }
    return stream;
  }

  /** One string per type, shared by all its events. */
  private shared(type: string): string {
    const known = this.types.get(type);
    if (known !== undefined) return known;
    this.types.set(type, type);
    return type;
  }
}

function rulesOf(metadata: string): Rules {
  const number = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
  try {
    const { $tb, $maxCount, $maxAge } = JSON.parse(metadata) as Record<string, unknown>;
    return { truncateBefore: number($tb, 0), maxCount: number($maxCount, Infinity), maxAge: number($maxAge, Infinity) * 1000 };
  } catch {
    return NO_RULES;
  }
}
