import { MAX_EVENT_BYTES } from '@svc/event-bus/size';
import { invalid, jsonBytes, DomainError, type Decider } from '@svc/kernel';
import type { DocumentAdjustment, LineTerms } from '../totals/terms.ts';
import { isOutcome } from './domain/outcome.ts';

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

interface Counted {
  items: LineTerms[];
  discounts: DocumentAdjustment[];
  charges: DocumentAdjustment[];
}

/** A document as everyone outside sees it. */
export interface Shown {
  issuer: object | null;
  customer: object | null;
  metadata: object;
}

/** A document as it stands after an event that a caller asked for. */
export interface Sized {
  content: Counted;
  resource(): Shown;
  /** Issuer and customer: `in` the resource, frozen and not in it yet, or not known (null). */
  parties: 'in' | object | null;
  /** What the event for the authority holds once more beside the resource; null where it gets none. */
  again: 'parties' | 'issuer' | null;
  /** The caller's field that is to be made smaller; null where nothing is written but what stands is submitted or voided. */
  written: string | null;
  /** What a caller can still change to make it smaller. */
  changeable: 'content' | 'metadata' | 'nothing';
  /** A caller ends the document by it. */
  ends: boolean;
}

export interface Sizes<State, Event> {
  /** undefined for an event that makes it no larger. */
  sizedAfter(event: Event, state: State): Sized | undefined;
  /** The document as it is stored; undefined where nobody can have seen it. */
  shown(state: State): Shown | undefined;
}

/**
 * The decider, refusing what a caller makes of a document before it is stored and a number is spent: writing more than `MOST_BYTES`, unless
 * the document was stored larger, by an earlier release, and does not grow; and anything of which an event could not be published or stored.
 * Throws validation_error naming what can be made smaller, invalid_state where nothing can. What the authority says is never refused.
 */
export function bounded<State, Command extends { type: string }, Event extends { type: string; data: object }>(
  decider: Decider<State, Command, Event>,
  { sizedAfter, shown }: Sizes<State, Event>,
): Decider<State, Command, Event> {
  return {
    ...decider,
    decide(command, before) {
      const events = decider.decide(command, before);
      if (isOutcome(command)) return events;
      let state = before;
      for (const event of events) {
        state = decider.evolve(state, event);
        const sized = sizedAfter(event, state);
        if (sized && !isSurelySmall(sized.content)) checkSize(sized, events, () => shown(before));
      }
      return events;
    },
  };
}

function checkSize(sized: Sized, events: { data: object }[], before: () => Shown | undefined): void {
  const { written } = sized;
  const resource = sized.resource();
  const own = ownBytes(resource);
  const parties = sized.parties === 'in' ? partiesOf(resource) : sized.parties;
  const frozen = parties === null ? 0 : jsonBytes(parties);
  const bytes = own + (parties === null ? PARTIES_BYTES : frozen);
  if (bytes <= MOST_BYTES) return;
  if (written !== null) {
    const shown = before();
    if (!shown || own > ownBytes(shown)) throw tooLarge(written, bytes);
  }
  const again = { parties: frozen, issuer: jsonBytes(resource.issuer), none: 0 }[sized.again ?? 'none'];
  const published = own + frozen + again;
  const stored = jsonBytes(events.map(({ data }) => data));
  const largest = Math.max(published, stored);
  const most = sized.ends || sized.changeable !== 'content' ? MOST_AT_ALL_BYTES : MOST_PUBLISHED_BYTES;
  if (largest > most)
    throw unpublishable(sized, { bytes: largest, most, withoutMetadata: Math.max(published - jsonBytes(resource.metadata) + 2, stored) });
}

const partiesOf = ({ issuer, customer }: Shown): object => ({ issuer, customer });
const ownBytes = (resource: Shown): number => jsonBytes({ ...resource, issuer: null, customer: null });

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
function isSurelySmall({ items, discounts, charges }: Counted): boolean {
  let most = LONGEST.document + items.length * LONGEST.item;
  for (const item of items)
    most += item.taxes.length * 2 * LONGEST.tax + (item.discounts.length + item.charges.length) * LONGEST.adjustment; // a tax has a row of the breakdown
  for (const { taxes = [] } of [...discounts, ...charges]) most += LONGEST.adjustment + taxes.length * 2 * LONGEST.tax;
  return most <= MOST_BYTES;
}
