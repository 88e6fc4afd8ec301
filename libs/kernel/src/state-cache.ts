import type { Uid } from './ids.ts';

/** What the events of one stream amount to. */
export interface Folded<State> {
  state: State;
  revision: bigint | 'none';
  /** Ids of the commands whose events stand in the stream. */
  commands: ReadonlySet<Uid>;
}

/** The folded state of the streams used last. Never trusted: the append's exact revision is the judge, and a conflict drops the entry. */
export class StateCache<State> {
  private readonly entries = new Map<string, Folded<State>>();

  constructor(private readonly limit = 10_000) {}

  get(stream: string): Folded<State> | undefined {
    const found = this.entries.get(stream);
    if (found) {
      this.entries.delete(stream);
      this.entries.set(stream, found);
    }
    return found;
  }

  set(stream: string, folded: Folded<State>): void {
    this.entries.delete(stream);
    this.entries.set(stream, folded);
    if (this.entries.size > this.limit) this.entries.delete(this.entries.keys().next().value as string);
  }

  delete(stream: string): void {
    this.entries.delete(stream);
  }
}
