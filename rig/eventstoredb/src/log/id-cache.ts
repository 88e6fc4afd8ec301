import type { Entry } from './event-index.ts';

/** EventStoreDB's cache is bounded by 8 MiB; an entry takes some 130 bytes. */
const ENTRIES = 64_000;

/**
 * The ids of recent events, which make appends with ANY or STREAM_EXISTS idempotent. They are in memory only: after a restart the same ids
 * are appended again. An id that was written to two streams refers to the first.
 */
export class IdCache {
  private readonly entries = new Map<string, Entry>();

  add(entry: Entry): void {
    if (this.entries.has(entry.id)) return;
    this.entries.set(entry.id, entry);
    if (this.entries.size <= ENTRIES) return;
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest);
      break;
    }
  }

  get(id: string): Entry | undefined {
    return this.entries.get(id);
  }
}
