import { DomainError, type EventMetadata, type Ids, type NewEvent } from '@svc/kernel';
import { MAX_APPEND_BYTES } from '../encode-append.ts';
import type { Link, LinkWindow } from './link-window.ts';

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
export interface Plan {
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
