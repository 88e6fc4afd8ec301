import { PROBE_EVERY } from './domain/pace.ts';

/** So many different documents in a row without an answer, and the authority counts as broken. */
const SILENCES = 10;

/**
 * Whether an authority answers at all. While it is broken one document every 30 s is tried, and the others wait. Any answer that can
 * be trusted ends it, a refusal too.
 */
export class Outage {
  private readonly silent = new Set<string>();
  private probeAt = 0;
  private probing: string | undefined;

  constructor(private readonly haste: number) {}

  /** Whether this document may be tried now (milliseconds since 1970), or until when it waits. */
  admit(document: string, now: number): { go: true } | { go: false; until: number } {
    if (this.silent.size < SILENCES) return { go: true };
    if (this.probing !== undefined && this.probing !== document) return { go: false, until: now + 1_000 / this.haste };
    if (now < this.probeAt) return { go: false, until: this.probeAt };
    this.probing = document;
    return { go: true };
  }

  /** The document is not being tried any more, however that ended. */
  release(document: string): void {
    if (this.probing === document) this.probing = undefined;
  }

  /** How a call ended: with an answer or in silence. */
  heard(document: string, answered: boolean, now: number): void {
    if (answered) {
      this.silent.clear();
      return;
    }
    if (this.silent.size < SILENCES) this.silent.add(document);
    if (this.silent.size === SILENCES) this.probeAt = now + PROBE_EVERY / this.haste;
  }
}
