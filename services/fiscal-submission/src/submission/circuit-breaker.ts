import { PROBE_EVERY } from './domain/pace.ts';

/** So many different documents in a row without an answer, and the authority counts as broken. */
const OPENS_AFTER = 10;

/**
 * Whether an authority answers at all. While it is broken one document every 30 s is tried, and the others wait. Any answer that can
 * be trusted ends it, a refusal too.
 */
export class CircuitBreaker {
  private readonly unanswered = new Set<string>();
  private probeAt = 0;
  private probing: string | undefined;

  constructor(private readonly timeScale: number) {}

  /** Whether this document may be tried now (milliseconds since 1970), or until when it waits. */
  admit(document: string, now: number): { go: true } | { go: false; until: number } {
    if (this.unanswered.size < OPENS_AFTER) return { go: true };
    if (this.probing !== undefined && this.probing !== document) return { go: false, until: now + 1_000 / this.timeScale };
    if (now < this.probeAt) return { go: false, until: this.probeAt };
    this.probing = document;
    return { go: true };
  }

  /** The document is not being tried any more, however that ended. */
  release(document: string): void {
    if (this.probing === document) this.probing = undefined;
  }

  /** How a call ended: with an answer or in silence. */
  record(document: string, answered: boolean, now: number): void {
    if (answered) {
      this.unanswered.clear();
      return;
    }
    if (this.unanswered.size < OPENS_AFTER) this.unanswered.add(document);
    if (this.unanswered.size === OPENS_AFTER) this.probeAt = now + PROBE_EVERY / this.timeScale;
  }
}
