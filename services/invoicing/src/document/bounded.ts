import { MAX_EVENT_BYTES } from '@svc/event-bus/size';
import { invalid, jsonBytes, DomainError, type Decider, type DomainEvent } from '@svc/kernel';
import type { DocumentDefinition } from './definition.ts';
import { fiscalEvent, isFiscalEvent } from './domain/events.ts';
import { isBeingReversed, isOfCaller, type DocumentCommand } from './domain/outcome.ts';
import { isNumbered, type DocumentContent, type Written } from './domain/state.ts';
import { onceNumbered } from './once-numbered.ts';

/** Of what is written, as the resource with frozen issuer and customer. */
const MOST_BYTES = 640 * 1_024;
/** Kept for issuer and customer while they are not frozen, and more than the longest of both take: what is taken as a draft can be submitted. */
const PARTIES_BYTES = 40 * 1_024;
/** What a message holds besides the resource, issuer and customer, and what the authority's answer adds to them. */
const MESSAGE_BYTES = 32 * 1_024;
/** Of the largest public event, and of what is stored at once: the bus takes no larger message, EventStoreDB no append above 1 MiB. */
export const MOST_PUBLISHED_BYTES = MAX_EVENT_BYTES - MESSAGE_BYTES;
/** What a message holds at most besides the resource, issuer and customer, and what a registration that is still open adds to them. */
const ENVELOPE_BYTES = 12 * 1_024;
/** The same where nothing is to follow, or the document cannot be made smaller: whatever the bus takes. */
export const MOST_AT_ALL_BYTES = MAX_EVENT_BYTES - ENVELOPE_BYTES;

/** A resource, as far as its size depends on who sees it. */
export interface Measured {
  issuer: object | null;
  customer: object | null;
  metadata: object;
}

/** A document as it stands after what a caller asked for. */
export interface Sized {
  resource: Measured;
  /** The resource before; undefined where callers could not see it. */
  before(): Measured | undefined;
  /** Issuer and customer are frozen in it. */
  hasParties: boolean;
  /** What the event for the authority holds once more beside the resource; null where it gets none. */
  again: 'parties' | 'issuer' | null;
  /** Bytes of what the events store. */
  stored(): number;
  /** The caller's field that is to be made smaller; null where nothing is written but what stands is submitted or voided. */
  written: string | null;
  /** What a caller can still change to make it smaller. */
  changeable: 'content' | 'metadata' | 'nothing';
  /** A caller ends the document by it. */
  ends: boolean;
}

/**
 * The decider, refusing what a caller makes of a document before it is stored and a number is spent: writing more than `MOST_BYTES`, unless
 * the document was stored larger, by an earlier release, and does not grow; and anything of which an event could not be published or stored.
 * Throws validation_error naming what can be made smaller, invalid_state where nothing can. What the authority says is never refused.
 */
export function bounded<State extends object, Shown extends State, Command extends { type: string }, Event extends DomainEvent>({
  eventName,
  decider,
  isShown,
  resource,
  written,
  changeable,
  continues,
}: DocumentDefinition<State, Shown, Command, Event, Measured>): Decider<State | null, Command | DocumentCommand, Event> {
  const shown = (state: State | null): Measured | undefined => (isShown(state) ? resource(state, 1) : undefined);

  /** The corrective by which it is voided, once it has its number; otherwise the document itself. */
  function largestOf(state: State | null): State | null {
    if (!isNumbered(state) || !isBeingReversed(state)) return state;
    const events = decider.decide({ type: 'reverse', at: state.void.requested_at, original: state }, null);
    return onceNumbered(decider, events.reduce(decider.evolve, null), events.at(-1) as Event);
  }

  return {
    ...decider,
    decide(command, before) {
      const events = decider.decide(command, before);
      const last = events.at(-1);
      if (!last || !isOfCaller(command) || continues?.(command as Command)) return events;
      const state = events.reduce(decider.evolve, before);
      if (isSurelySmall((state as Written<DocumentContent>).content)) return events;
      const after = onceNumbered(decider, state, last);
      const fiscal = isFiscalEvent(eventName, last) ? fiscalEvent(eventName, last).type : undefined;
      const startsRound = isNumbered(after) && after.round > (isNumbered(before) ? before.round : 0);
      checkSize({
        resource: shown(fiscal === 'ReversalRequested' ? largestOf(after) : after) as Measured,
        before: () => shown(before),
        hasParties: isNumbered(after),
        again: fiscal === 'VoidRequested' ? 'issuer' : startsRound || fiscal === 'ReversalRequested' ? 'parties' : null,
        stored: () => jsonBytes(events.map(({ data }) => data)),
        written: written(last),
        changeable: before === null ? 'content' : changeable(before),
        ends: fiscal !== undefined,
      });
      return events;
    },
  };
}

/** Throws as `bounded` says. */
export function checkSize(sized: Sized): void {
  const { resource, hasParties, again, written } = sized;
  const own = ownBytes(resource);
  const parties = hasParties ? jsonBytes({ issuer: resource.issuer, customer: resource.customer }) : 0;
  const bytes = own + (hasParties ? parties : PARTIES_BYTES);
  if (bytes <= MOST_BYTES) return;
  if (written !== null) {
    const before = sized.before();
    if (!before || own > ownBytes(before)) throw tooLarge(written, bytes);
  }
  const published = own + parties + { parties, issuer: jsonBytes(resource.issuer), none: 0 }[again ?? 'none'];
  const stored = sized.stored();
  const largest = Math.max(published, stored);
  const most = sized.ends || sized.changeable !== 'content' ? MOST_AT_ALL_BYTES : MOST_PUBLISHED_BYTES;
  if (largest > most)
    throw unpublishable(sized, { bytes: largest, most, withoutMetadata: Math.max(published - jsonBytes(resource.metadata) + 2, stored) });
}

const ownBytes = (resource: Measured): number => jsonBytes({ ...resource, issuer: null, customer: null });

const tooLarge = (field: string, bytes: number) =>
  invalid({
    [field]: [
      `make the document larger than ${MOST_BYTES / 1_024} KiB of JSON with issuer and customer: it would have ${bytes} bytes. Split it.`,
    ],
  });

/** In bytes, of the largest event. */
interface Unpublishable {
  bytes: number;
  most: number;
  withoutMetadata: number;
}

/** Names a field only where changing it helps. */
function unpublishable({ changeable, written }: Sized, { bytes, most, withoutMetadata }: Unpublishable): DomainError {
  const what = `an event of ${bytes} bytes, and at most ${most} can be published`;
  if (changeable === 'content')
    return invalid({ [written ?? 'items']: [`make ${what}. Nothing was changed: make the document smaller first.`] });
  if (changeable === 'metadata' && withoutMetadata <= most)
    return invalid({ metadata: [`make ${what}. Nothing was changed: take away metadata of ${bytes - most} bytes first, by PATCH.`] });
  const why = 'The document was stored by an earlier release, larger than is allowed today';
  return new DomainError('invalid_state', `${why}: this would make ${what}. Nothing was changed. Tell support the request id.`);
}

/** Bytes of the longest there can be, at six a character, and of its names and amounts. */
const LONGEST = { document: 220 * 1_024, item: 13 * 1_024, tax: 2 * 1_024, adjustment: 2 * 1_024 };

/** True for what cannot be too large whatever its texts are: most documents are known by counting and need not be measured. */
function isSurelySmall({ items, discounts, charges }: DocumentContent): boolean {
  let most = LONGEST.document + items.length * LONGEST.item;
  for (const item of items)
    most += item.taxes.length * 2 * LONGEST.tax + (item.discounts.length + item.charges.length) * LONGEST.adjustment; // a tax has a row of the breakdown
  for (const { taxes = [] } of [...discounts, ...charges]) most += LONGEST.adjustment + taxes.length * 2 * LONGEST.tax;
  return most <= MOST_BYTES;
}
