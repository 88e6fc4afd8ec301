import { type Env, waitGoesOn } from '@svc/kernel';
import type { Authorities } from './authority.ts';
import { PROBE_EVERY } from './domain/next-step.ts';

/** Different documents in a row without a response that open a circuit. */
const OPENS_AFTER = 10;
/** So many of them may be of one account where the circuit of all opens: the authority may fail at that account alone. */
const MOST_OF_ONE = 5;

/** A document, or what else is called about. */
export interface Called {
  _id: string;
  account: string;
}

/** Whether it may be tried, or until when it waits, in milliseconds since 1970. */
type Admitted = { go: true } | { go: false; until: number };

/** The one document that is tried now and then while a circuit is open. */
class Probe {
  private at = 0;
  private document: string | undefined;

  constructor(private readonly timeScale: number) {}

  admit(document: string, now: number): Admitted {
    if (this.document !== undefined && this.document !== document) return { go: false, until: now + 1_000 / this.timeScale };
    if (waitGoesOn(this.at, now, PROBE_EVERY / this.timeScale)) return { go: false, until: this.at };
    this.document = document;
    return { go: true };
  }

  release(document: string): void {
    if (this.document === document) this.document = undefined;
  }

  delay(now: number): void {
    this.at = now + PROBE_EVERY / this.timeScale;
  }
}

/** Documents of one account without a response, since the last one to it. */
interface Own {
  unanswered: Set<string>;
  probe: Probe;
}

/**
 * The circuit breaker of one authority: a circuit of each account, and one of all. While one is open one document of it every 30 s is tried and the others wait. Any
 * trustworthy response closes its account's and that of all, also a rejection.
 */
export class CircuitBreaker {
  private readonly own = new Map<string, Own>();
  /** Documents by account, since the last response to any. */
  private readonly inRow = new Map<string, Set<string>>();
  private readonly probe: Probe;
  private isHeld = false;

  constructor(private readonly timeScale: number) {
    this.probe = new Probe(timeScale);
  }

  /** Whether no document gets a response: all of them may be of one account. */
  isOpen(): boolean {
    return this.isHeld || this.countInRow(OPENS_AFTER) >= OPENS_AFTER;
  }

  /** Whether documents of every account wait. */
  isOpenToAll(): boolean {
    return this.isHeld || this.countInRow(MOST_OF_ONE) >= OPENS_AFTER;
  }

  /** Opens it to all at once: no message of any document is taken now. */
  open(now: number): void {
    this.isHeld = true;
    this.probe.delay(now);
  }

  close(): void {
    this.isHeld = false;
    this.inRow.clear();
    this.own.clear();
  }

  /** Whether this document may be tried at `now`, in milliseconds since 1970. */
  admit({ _id, account }: Called, now: number): Admitted {
    return this.probeOf(account)?.admit(_id, now) ?? { go: true };
  }

  /** Ends the try of a document, whatever its outcome. */
  release({ _id, account }: Called): void {
    this.probe.release(_id);
    this.own.get(account)?.probe.release(_id);
  }

  /** Records whether a call got a trustworthy response. */
  record({ _id, account }: Called, answered: boolean, now: number): void {
    if (answered) {
      this.isHeld = false;
      this.inRow.clear();
      this.own.delete(account);
      return;
    }
    const own = this.own.get(account) ?? { unanswered: new Set(), probe: new Probe(this.timeScale) };
    this.own.set(account, own);
    // What is tried for an account whose circuit is open says nothing new of the others.
    if (own.unanswered.size < OPENS_AFTER) {
      own.unanswered.add(_id);
      const inRow = this.inRow.get(account) ?? new Set();
      this.inRow.set(account, inRow.add(_id));
    }
    this.probeOf(account)?.delay(now);
  }

  /** Undefined: no circuit is open to the account. */
  private probeOf(account: string): Probe | undefined {
    if (this.isOpenToAll()) return this.probe;
    const own = this.own.get(account);
    return own?.unanswered.size === OPENS_AFTER ? own.probe : undefined;
  }

  private countInRow(mostOfOne: number): number {
    return this.inRow.values().reduce((sum, { size }) => sum + Math.min(size, mostOfOne), 0);
  }
}

/** By environment and authority: a connection each. */
export type Breakers = Readonly<Record<Env, ReadonlyMap<string, CircuitBreaker>>>;

export function breakersOf({ live, test }: Authorities, timeScale: number): Breakers {
  const of = (ids: Iterable<string>) => new Map(Array.from(ids, (id) => [id, new CircuitBreaker(timeScale)]));
  return { live: of(live.keys()), test: of(test.keys()) };
}
