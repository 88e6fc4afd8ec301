import type { Env } from '@svc/kernel';
import type { Authorities } from './authority.ts';
import { PROBE_EVERY } from './domain/next-step.ts';
import { waitGoesOn } from './domain/wait.ts';

/** Different documents in a row without a response that open the breaker. */
const OPENS_AFTER = 10;

/**
 * The circuit breaker of one authority. While it is open one document every 30 s is tried and the others wait. Any trustworthy response
 * closes it, also a rejection.
 */
export class CircuitBreaker {
  private readonly unanswered = new Set<string>();
  private probeAt = 0;
  private probing: string | undefined;

  constructor(private readonly timeScale: number) {}

  isOpen(): boolean {
    return this.unanswered.size === OPENS_AFTER;
  }

  /** Opens it at once: no message of any document is taken now. */
  open(now: number): void {
    for (let n = this.unanswered.size; n < OPENS_AFTER; n += 1) this.unanswered.add(`refused ${n}`);
    this.probeAt = now + PROBE_EVERY / this.timeScale;
  }

  /** Whether this document may be tried at `now` (milliseconds since 1970), or until when it waits. */
  admit(document: string, now: number): { go: true } | { go: false; until: number } {
    if (!this.isOpen()) return { go: true };
    if (this.probing !== undefined && this.probing !== document) return { go: false, until: now + 1_000 / this.timeScale };
    if (waitGoesOn(this.probeAt, now, PROBE_EVERY / this.timeScale)) return { go: false, until: this.probeAt };
    this.probing = document;
    return { go: true };
  }

  /** Ends the try of a document, whatever its outcome. */
  release(document: string): void {
    if (this.probing === document) this.probing = undefined;
  }

  /** Records whether a call got a trustworthy response. */
  record(document: string, answered: boolean, now: number): void {
    if (answered) {
      this.unanswered.clear();
      return;
    }
    if (!this.isOpen()) this.unanswered.add(document);
    if (this.isOpen()) this.probeAt = now + PROBE_EVERY / this.timeScale;
  }
}

/** By environment and authority: a connection each. */
export type Breakers = Readonly<Record<Env, ReadonlyMap<string, CircuitBreaker>>>;

export function breakersOf({ live, test }: Authorities, timeScale: number): Breakers {
  const of = (ids: Iterable<string>) => new Map(Array.from(ids, (id) => [id, new CircuitBreaker(timeScale)]));
  return { live: of(live.keys()), test: of(test.keys()) };
}
