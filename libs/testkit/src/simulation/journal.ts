import { createHash, type Hash } from 'node:crypto';
import { iso, type Clock } from '@svc/kernel';

const KEPT = 20_000;

/** The observable events of a simulation, in order: two runs of one seed have the same. */
export class Journal {
  private readonly lines: string[] = [];
  private readonly hash: Hash = createHash('sha256');
  private count = 0;

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  note(who: string, what: string): void {
    const line = `${iso(this.clock.now()).slice(11)} ${who}: ${what}`;
    this.hash.update(`${line}\n`);
    this.count += 1;
    this.lines.push(line);
    if (this.lines.length > KEPT) this.lines.splice(0, KEPT / 2);
  }

  /** The number of lines so far. */
  get length(): number {
    return this.count;
  }

  /** SHA-256 of all lines. */
  digest(): string {
    return this.hash.copy().digest('hex');
  }

  tail(lines: number): string {
    return this.lines.slice(-lines).join('\n');
  }
}
