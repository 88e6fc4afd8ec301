import { DomainError, type EventMetadata, type Ids, type NewEvent } from '@svc/kernel';
import { MAX_APPEND_BYTES } from '../event-bytes.ts';

/** One document that waits for its link. */
export interface Waiting {
  document: string;
  seen: bigint | 'none';
  type: string;
  v: number;
  metadata: Omit<EventMetadata, 'v'>;
  answers?: ((link: Link) => boolean) | undefined;
  link: (last: Link | undefined) => Link | DomainError;
  resolve(link: Link | DomainError): void;
  reject(error: unknown): void;
}

/** One append for all waiting documents at the series' current state, and the result of each once it is stored. */
interface Plan {
  links: Link[];
  events: NewEvent[];
  /** A request is refused. */
  refuses: boolean;
  settle(): void;
  /** This append is full. */
  rest: Waiting[];
}

export function planClaims(window: LinkWindow, waiting: readonly Waiting[], ids: Ids): Plan {
  const links: Link[] = [];
  const events: NewEvent[] = [];
  const answers: (() => void)[] = [];
  let { last } = window;
  let bytes = 0;
  let refuses = false;

  for (const [n, claim] of waiting.entries()) {
    const { document, seen, type, v, metadata, answers: answersIt = () => true } = claim;
    const known = window.find(document, seen, answersIt) ?? links.find((made) => made.document === document && answersIt(made));
    const link = known ?? linkAfter(last, claim);
    if (!known && !(link instanceof DomainError) && !(link instanceof Failure)) {
      bytes += Buffer.byteLength(JSON.stringify(link));
      if (bytes > MAX_APPEND_BYTES && events.length > 0) return planned(waiting.slice(n));
      links.push(link);
      events.push({ id: ids.next(), type, data: link, metadata: { ...metadata, v } });
      last = link;
    }
    refuses ||= link instanceof DomainError;
    answers.push(() => (link instanceof Failure ? claim.reject(link.error) : claim.resolve(link)));
  }
  return planned([]);

  function planned(rest: Waiting[]): Plan {
    return { links, events, rest, refuses, settle: () => answers.forEach((answer) => answer()) };
  }
}

class Failure {
  constructor(readonly error: unknown) {}
}

/** An error of one document's rule affects only that document. */
function linkAfter(last: Link | undefined, { link }: Waiting): Link | DomainError | Failure {
  try {
    return link(last);
  } catch (error) {
    return new Failure(error);
  }
}

/** What a series or chain holds for one document: its number, or its position in the chain. */
export interface Link {
  document: string;
}

const KEPT_LINKS = 512;

/** The consecutive links of one stream from some revision on, up to the last one known. */
export class LinkWindow {
  /** Revision of `links[0]`. */
  private first: bigint;
  private links: Link[] = [];
  /** Mostly one: a document is linked again, say, after a rejection. */
  private readonly revisions = new Map<string, bigint[]>();

  /** A window for a stream whose revision was `seen`: filled from there, so that `last` is known. */
  constructor(seen: bigint | 'none') {
    this.first = seen === 'none' ? 0n : seen;
  }

  /** Where to continue reading. */
  get next(): bigint {
    return this.first + BigInt(this.links.length);
  }

  get size(): number {
    return this.links.length;
  }

  /** The revision of the last link known. */
  get revision(): bigint | 'none' {
    return this.next === 0n ? 'none' : this.next - 1n;
  }

  get last(): Link | undefined {
    return this.links.at(-1);
  }

  /** True when a link that a document requested after `seen` would be in this window. */
  covers(seen: bigint | 'none'): boolean {
    return after(seen) >= this.first;
  }

  /** The document's first link after `seen` that answers its request. */
  find(document: string, seen: bigint | 'none', answers: (link: Link) => boolean = () => true): Link | undefined {
    for (const revision of this.revisions.get(document) ?? []) {
      const link = this.links[Number(revision - this.first)];
      if (link && revision >= after(seen) && answers(link)) return link;
    }
    return undefined;
  }

  add(link: Link): void {
    this.revisions.set(link.document, [...(this.revisions.get(link.document) ?? []), this.next]);
    this.links.push(link);
  }

  trim(): void {
    const dropped = this.links.slice(0, -KEPT_LINKS);
    this.links = this.links.slice(-KEPT_LINKS);
    this.first += BigInt(dropped.length);
    for (const { document } of dropped) {
      const kept = this.revisions.get(document)?.filter((each) => each >= this.first) ?? [];
      if (kept.length > 0) this.revisions.set(document, kept);
      else this.revisions.delete(document);
    }
  }
}

const after = (seen: bigint | 'none'): bigint => (seen === 'none' ? 0n : seen + 1n);
