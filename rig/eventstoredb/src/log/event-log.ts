import { randomUUID } from 'node:crypto';
import { jsonNumber, parseExact, type Clock } from '@svc/kernel';
import { decodeEvent, encodeEvent, TOMBSTONE, type StoredEvent } from './event-bytes.ts';
import { EventIndex, type Entry, type Stream } from './event-index.ts';
import { IdCache } from './id-cache.ts';
import { LiveFeed } from './live-feed.ts';
import { LogFile } from './log-file.ts';
import { EXPECT, decideAppend, decideNewEvent, NO_EVENTS, type AppendDecision } from './append-decision.ts';

export interface ProposedEvent {
  id: string;
  type: string;
  json: boolean;
  metadata: Uint8Array;
  data: Uint8Array;
}

/** `revision` is that of the last event; NO_EVENTS when the stream has none. */
export type Written = { kind: 'written'; revision: number; position: number } | Exclude<AppendDecision, { kind: 'write' | 'repeat' }>;
export type Answer = (written: Written) => void;

/** A record is the message's size and the message. */
const RECORD_HEADER = 4;
/** Bytes of one read of the file. */
const PAGE_BYTES = 512 * 1024;

/**
 * The log of all events. Appends are decided at once, in order of arrival; they are acknowledged, readable and sent to subscribers when
 * they are on disk. So a conflict can be reported a moment before its cause is readable, as in EventStoreDB.
 */
export class EventLog {
  private readonly index = new EventIndex();
  private readonly ids = new IdCache();
  private file!: LogFile;
  readonly live = new LiveFeed();
  /** Number of events on disk: those with a lower ordinal are readable. */
  private readable = 0;

  private constructor(private readonly clock: Clock) {}

  static async open(path: string, clock: Clock): Promise<EventLog> {
    const log = new EventLog(clock);
    log.file = await LogFile.open(path, (payload) => log.load(payload));
    log.readable = log.index.all.length;
    if (log.readable === 0) {
      const data = '{"$maxAge":2592000,"$acl":{"$r":"$ops","$w":[],"$d":[],"$mr":[],"$mw":[]}}';
      await new Promise<void>((done) => log.append('$$$scavenges', EXPECT.none, [metadataEvent(data)], () => done()));
    }
    return log;
  }

  append(stream: string, expected: number, events: ProposedEvent[], answer: Answer): void {
    const ids = events.map(({ id }) => id);
    const known = this.index.stream(stream);
    const decision = hasTombstonedOwner(this.index, stream)
      ? { kind: 'deleted' as const }
      : decideAppend(known, expected, ids, (id) => this.ids.get(id));
    if (decision.kind === 'repeat') {
      const { revision, position } = decision.last;
      return this.file.afterAll(() => answer({ kind: 'written', revision, position }));
    }
    if (decision.kind !== 'write') return answer(decision);
    const first = decision.last + 1;
    const undelete = decision.undelete && known !== undefined ? [this.metadata(known, first)] : [];
    const entries = this.write([...undelete, ...events.map((event, n) => ({ ...event, stream, revision: first + n }))], (position) =>
      answer({ kind: 'written', revision: first + events.length - 1, position }),
    );
    for (const entry of entries.slice(undelete.length)) this.ids.add(entry);
  }

  /** Hides a stream's events; the next append continues its revisions. */
  softDelete(stream: string, expected: number, answer: Answer): void {
    const known = this.index.stream(stream);
    const decision = decideNewEvent(known, expected);
    if (decision.kind !== 'write') return answer(decision);
    if (known === undefined || decision.last === NO_EVENTS) return answer({ kind: 'wrong', last: NO_EVENTS });
    this.write([this.metadata(known, TOMBSTONE)], (position) => answer({ kind: 'written', revision: decision.last, position }));
  }

  /** Ends a stream: nothing can be appended to it again. */
  tombstone(stream: string, expected: number, answer: Answer): void {
    const decision = decideNewEvent(this.index.stream(stream), expected);
    if (decision.kind !== 'write') return answer(decision);
    const event = { ...emptyEvent('$streamDeleted'), stream, revision: TOMBSTONE };
    this.write([event], (position) => answer({ kind: 'written', revision: TOMBSTONE, position }));
  }

  /** The stream, if it has had a readable event. */
  stream(name: string): Stream | undefined {
    const stream = this.index.stream(name);
    return stream !== undefined && (this.isReadable(stream.events[0]) || this.isReadable(stream.tombstone)) ? stream : undefined;
  }

  isReadable(entry: Entry | undefined): entry is Entry {
    return entry !== undefined && entry.ordinal < this.readable;
  }

  /** The number of readable events. */
  end(): number {
    return this.readable;
  }

  entry(ordinal: number): Entry | undefined {
    return ordinal < this.readable ? this.index.all[ordinal] : undefined;
  }

  ordinalAt(position: number): number {
    return this.index.ordinalAt(position);
  }

  now(): number {
    return this.clock.now();
  }

  /** The encoded message of an event. */
  message(entry: Entry): Buffer {
    return this.file.read(entry.position + RECORD_HEADER, entry.size);
  }

  /** The messages of consecutive events of $all in one read of the file; at most a page. */
  messages(from: number, to: number): { entry: Entry; message: Buffer }[] {
    const first = this.entry(from);
    if (first === undefined) return [];
    const entries = [first];
    for (let n = from + 1; n < to; n += 1) {
      const entry = this.entry(n);
      if (entry === undefined || entry.position + entry.size - first.position > PAGE_BYTES) break;
      entries.push(entry);
    }
    const last = entries.at(-1) ?? first;
    const bytes = this.file.read(first.position, last.position + RECORD_HEADER + last.size - first.position);
    return entries.map((entry) => {
      const at = entry.position - first.position + RECORD_HEADER;
      return { entry, message: bytes.subarray(at, at + entry.size) };
    });
  }

  event(entry: Entry): StoredEvent {
    return decodeEvent(this.message(entry));
  }

  close(): Promise<void> {
    return this.file.close();
  }

  private write(events: (ProposedEvent & { stream: string; revision: number })[], done: (position: number) => void): Entry[] {
    const records: Buffer[] = [];
    const batch: { entry: Entry; message: Buffer }[] = [];
    let position = this.file.nextPayload();
    for (const event of events) {
      const stored = { ...event, position, created: this.clock.now() };
      const message = encodeEvent(stored);
      const size = Buffer.alloc(RECORD_HEADER);
      size.writeUInt32BE(message.length);
      records.push(size, message);
      batch.push({ entry: this.index.add(stored, message.length), message });
      position += RECORD_HEADER + message.length;
    }
    const last = batch.at(-1)?.entry ?? this.index.all.at(-1);
    if (batch.length === 0) this.file.afterAll(() => done(last?.position ?? 0));
    else
      this.file.append(Buffer.concat(records), () => {
        this.readable = (last?.ordinal ?? -1) + 1;
        done(last?.position ?? 0);
        this.live.publish(batch);
      });
    return batch.map(({ entry }) => entry);
  }

  /** A metadata event with the stream's current metadata and another `$tb`. */
  private metadata(stream: Stream, truncateBefore: number): ProposedEvent & { stream: string; revision: number } {
    const name = `$$${stream.name}`;
    const before = this.index.stream(name)?.events.at(-1);
    const $tb = truncateBefore === TOMBSTONE ? jsonNumber('9223372036854775807') : truncateBefore;
    return {
      ...metadataEvent(JSON.stringify({ ...(parseExact(stream.metadata) as object), $tb })),
      stream: name,
      revision: (before?.revision ?? NO_EVENTS) + 1,
    };
  }

  private load(payload: Buffer): void {
    for (let at = 0; at < payload.length;) {
      const size = payload.readUInt32BE(at);
      at += RECORD_HEADER;
      this.index.add(decodeEvent(payload.subarray(at, at + size)), size);
      at += size;
    }
  }
}

const emptyEvent = (type: string): ProposedEvent => ({
  id: randomUUID(),
  type,
  json: false,
  metadata: Buffer.alloc(0),
  data: Buffer.alloc(0),
});
const metadataEvent = (data: string): ProposedEvent => ({ ...emptyEvent('$metadata'), json: true, data: Buffer.from(data) });

/** Whether this is the metadata stream of a tombstoned stream. */
const hasTombstonedOwner = (index: EventIndex, stream: string): boolean =>
  stream.startsWith('$$') && index.stream(stream.slice(2))?.tombstone !== undefined;
