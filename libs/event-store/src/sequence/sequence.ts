import { nextTick } from 'node:process';
import {
  Conflict,
  DomainError,
  isFresh,
  systemClock,
  type Clock,
  type EventMetadata,
  type Ids,
  type Recorded,
  type Streams,
} from '@svc/kernel';
import { LinkWindow, type Link, planClaims, type Waiting } from './plan.ts';

export interface Claim<L extends Link> {
  /** The series or chain. It holds only these links. */
  stream: string;
  /** Its revision before the document requested a link (from `head`); the document stores it. */
  seen: bigint | 'none';
  document: string;
  /** Type and version of the event that holds the link as its data. */
  type: string;
  v: number;
  metadata: Omit<EventMetadata, 'v'>;
  /** False for a link of the document that answers another request: it is skipped. By default the document's first link after `seen` answers. */
  answers?: (link: L) => boolean;
  /** The document's link after the last one: pure, may be called several times. A refusal claims nothing. */
  link: (last: L | undefined) => L | DomainError;
}

export interface Sequence {
  /** A revision that the stream has reached: not always its newest, but valid as `seen`. */
  head(stream: string): Promise<bigint | 'none'>;
  /** The document's one link, found or claimed. Throws `OutcomeUnknown` and `service_unavailable`; the same call may then be repeated. */
  take<L extends Link>(claim: Claim<L>): Promise<L | DomainError>;
}

export interface SequenceOptions {
  streams: Streams;
  ids: Ids;
  clock?: Clock;
}

const PER_APPEND = 200;
const PAGE = 1_000;
const ATTEMPTS = 50;
const MAX_WAITING = 10_000;
const KEPT_WINDOWS = 200;
/** Of all windows together; each link takes some hundred bytes. */
const KEPT_LINKS = 20_000;
/** Older windows are not continued: others may have added too much to read on. */
const KEPT_FOR_MS = 60_000;
const MAX_WAIT_MS = 1_000;

/**
 * Gives each document one position in a stream, without duplicates or gaps, whatever the number of actors and repetitions, across crashes
 * and lost answers. It relies only on the append at the exact revision just read: a link is claimed only where everything from the
 * document's `seen` up to that revision has been searched. Finding an event by its id would not suffice: a store recognizes an id
 * only at the same expected revision.
 */
export function createSequence({ streams, ids, clock = systemClock }: SequenceOptions): Sequence {
  const windows = new Map<string, { window: LinkWindow; at: number }>();
  const lines = new Map<string, Waiting[]>();
  const lookups = new Map<string, Promise<LinkWindow>>();

  const kept = (stream: string): LinkWindow | undefined => {
    const found = windows.get(stream);
    return found && isFresh(found.at, clock.now(), KEPT_FOR_MS) ? found.window : undefined;
  };

  function keep(stream: string, window: LinkWindow): void {
    window.trim();
    windows.delete(stream);
    windows.set(stream, { window, at: clock.now() });
    let links = 0;
    for (const kept of windows.values()) links += kept.window.size;
    for (const [oldest, kept] of windows) {
      if (windows.size <= KEPT_WINDOWS && links <= KEPT_LINKS) return;
      windows.delete(oldest);
      links -= kept.window.size;
    }
  }

  async function lookUp(stream: string): Promise<LinkWindow> {
    const [last] = await streams.tail(stream, 1);
    const window = new LinkWindow(last ? last.revision : 'none');
    if (last) window.add(last.data as Link);
    keep(stream, window);
    return window;
  }

  /** Reads to the end, and until `revision` is readable: a conflict can be reported before its cause can be read. */
  async function readOn(stream: string, window: LinkWindow, revision: bigint | 'none'): Promise<void> {
    for (let wait = 5; ; wait *= 2) {
      let page: Recorded[];
      do {
        page = await streams.read(stream, window.next, PAGE);
        for (const { data } of page) window.add(data as Link);
      } while (page.length === PAGE);
      if (revision === 'none' || window.next > revision) return;
      if (wait > MAX_WAIT_MS) throw busy();
      await clock.sleep(wait);
    }
  }

  async function hasGrown(stream: string, window: LinkWindow): Promise<boolean> {
    const before = window.revision;
    await readOn(stream, window, before);
    return window.revision !== before;
  }

  async function windowFor(stream: string, waiting: readonly Waiting[]): Promise<LinkWindow> {
    const seen = waiting.map((claim) => claim.seen);
    const lowest = seen.reduce((a, b) => (b === 'none' || (a !== 'none' && b < a) ? b : a));
    const highest = seen.reduce((a, b) => (a === 'none' || (b !== 'none' && b > a) ? b : a));
    const known = kept(stream);
    const window = known?.covers(lowest) ? known : new LinkWindow(lowest);
    if (window !== known || (highest !== 'none' && window.next <= highest)) await readOn(stream, window, highest);
    return window;
  }

  /** One append for all of them; returns those that did not fit. */
  async function claimFor(stream: string, waiting: readonly Waiting[]): Promise<Waiting[]> {
    const window = await windowFor(stream, waiting);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const plan = planClaims(window, waiting, ids);
      try {
        if (plan.events.length > 0) await streams.append(stream, window.revision, plan.events);
        else if (plan.refuses && (await hasGrown(stream, window))) continue; // a refusal, too, holds only at the newest revision
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        await readOn(stream, window, error.actual);
        continue;
      }
      for (const link of plan.links) window.add(link);
      keep(stream, window);
      plan.settle();
      return plan.rest;
    }
    throw busy();
  }

  /** One claim in flight per stream, with all that wait for it. */
  async function serve(stream: string, line: Waiting[]): Promise<void> {
    await new Promise<void>((resolve) => nextTick(resolve)); // requests of the same turn join it
    while (line.length > 0) {
      const waiting = line.splice(0, PER_APPEND);
      try {
        line.unshift(...(await claimFor(stream, waiting)));
      } catch (error) {
        windows.delete(stream);
        for (const { reject } of waiting) reject(error);
      }
    }
    lines.delete(stream);
  }

  return {
    async head(stream) {
      const known = kept(stream);
      if (known) return known.revision;
      const lookup = lookups.get(stream) ?? lookUp(stream).finally(() => lookups.delete(stream));
      lookups.set(stream, lookup);
      return (await lookup).revision;
    },

    take<L extends Link>({ stream, link, answers, ...claim }: Claim<L>) {
      return new Promise<L | DomainError>((resolve, reject) => {
        const line = lines.get(stream) ?? [];
        if (line.length >= MAX_WAITING) throw busy();
        // The stream holds links of one type: what is read is what `link` returned, here or elsewhere.
        const made = { link: link as Waiting['link'], answers: answers as Waiting['answers'], resolve: resolve as Waiting['resolve'] };
        line.push({ ...claim, ...made, reject });
        if (lines.has(stream)) return;
        lines.set(stream, line);
        void serve(stream, line);
      });
    },
  };
}

const busy = (): DomainError =>
  new DomainError('service_unavailable', 'Too many are asking for a number at once. Repeat the request.', undefined, 1);
