import { LRUCache } from 'lru-cache';
import type { Uid } from './ids.ts';

/** The state of one stream, folded from its events. */
export interface Folded<State> {
  state: State;
  revision: bigint | 'none';
  /** Command ids of the events in the stream; for a stream that is read from its end, those of its last events. */
  commands: ReadonlySet<Uid>;
  /** Stored bytes of the data of all events that the state was folded from. */
  bytes: number;
}

/** Memory of one entry besides its events: the map entry and the name of the stream. */
const ENTRY_BYTES = 512;
const COMMAND_BYTES = 100;
/** Counted as JSON; the folded objects take up to one and a half times as much. */
const PROCESS_BYTES = 64 * 1_048_576;

/** Memory for folded states, shared by caches and bounded in bytes of the events. Evicts the states that were used least recently. */
export class StateMemory {
  private readonly states: LRUCache<string, Folded<unknown>>;
  private caches = 0;

  constructor(most = PROCESS_BYTES) {
    this.states = new LRUCache({ maxSize: most });
  }

  /** Bytes that are in use. */
  get bytes(): number {
    return this.states.calculatedSize;
  }

  /** A prefix for the names of one cache, different for each. */
  join(): string {
    this.caches += 1;
    return `${this.caches} `;
  }

  get(name: string): Folded<unknown> | undefined {
    return this.states.get(name);
  }

  /** A state that is larger than the whole memory is not kept. */
  set(name: string, folded: Folded<unknown>, bytes: number): void {
    this.states.set(name, folded, { size: ENTRY_BYTES + bytes + COMMAND_BYTES * folded.commands.size });
  }

  delete(name: string): void {
    this.states.delete(name);
  }
}

/** Shared by all caches of the process, so that memory does not grow with their number. */
const processMemory = new StateMemory();

/** The folded states of recently used streams. May be out of date: an append at the exact revision then fails, and the entry is dropped. */
export class StateCache<State> {
  private readonly own: string;
  private readonly memory: StateMemory;
  private readonly mostBytes: number;

  /** `mostBytes`: bound of the bytes that one state counts, for streams in which an event replaces what earlier ones held. */
  constructor({ memory = processMemory, mostBytes = Infinity }: { memory?: StateMemory; mostBytes?: number } = {}) {
    this.memory = memory;
    this.mostBytes = mostBytes;
    this.own = memory.join();
  }

  get(stream: string): Folded<State> | undefined {
    return this.memory.get(this.own + stream) as Folded<State> | undefined;
  }

  set(stream: string, folded: Folded<State>): void {
    this.memory.set(this.own + stream, folded, Math.min(folded.bytes, this.mostBytes));
  }

  delete(stream: string): void {
    this.memory.delete(this.own + stream);
  }
}
