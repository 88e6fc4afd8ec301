import { LRUCache } from 'lru-cache';
import type { Uid } from './ids.ts';

/** What the events of one stream amount to. */
export interface Folded<State> {
  state: State;
  revision: bigint | 'none';
  /** Ids of the commands whose events stand in the stream; of a stream that is read from its end, those of its last events. */
  commands: ReadonlySet<Uid>;
  /** Of data, as it is stored: all events that the state was folded from. */
  bytes: number;
}

/** What one entry takes beside its events: the map, the name of the stream. */
const ENTRY_BYTES = 512;
const COMMAND_BYTES = 100;
/** As JSON; folded it is up to half as much again. */
const PROCESS_BYTES = 64 * 1_048_576;

/** Room for folded states, in bytes of the events that they were folded from: those used last stay, of whichever cache. */
export class StateMemory {
  private readonly states: LRUCache<string, Folded<unknown>>;
  private caches = 0;

  constructor(most = PROCESS_BYTES) {
    this.states = new LRUCache({ maxSize: most });
  }

  /** What is counted at the time. */
  get bytes(): number {
    return this.states.calculatedSize;
  }

  /** Sets a cache's names apart from those of others. */
  join(): string {
    this.caches += 1;
    return `${this.caches} `;
  }

  get(name: string): Folded<unknown> | undefined {
    return this.states.get(name);
  }

  /** What is larger than all the room is not kept. */
  set(name: string, folded: Folded<unknown>, bytes: number): void {
    this.states.set(name, folded, { size: ENTRY_BYTES + bytes + COMMAND_BYTES * folded.commands.size });
  }

  delete(name: string): void {
    this.states.delete(name);
  }
}

/** All caches of the process share it, so that what it takes does not grow with their number. */
const processMemory = new StateMemory();

/** The folded state of the streams used last. Never trusted: the append's exact revision is the judge, and a conflict drops the entry. */
export class StateCache<State> {
  private readonly own: string;
  private readonly memory: StateMemory;
  private readonly mostBytes: number;

  /** `mostBytes`: of the events that one state can still hold, where others took the place of earlier ones; no state can be larger. */
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
