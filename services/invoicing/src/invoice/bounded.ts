import { invalid, jsonBytes, type Decider } from '@svc/kernel';
import type { DocumentAdjustment, LineTerms } from '../totals/terms.ts';

/**
 * Of a document's resource with frozen issuer and customer. An append of EventStoreDB and a message of Kafka take 1 MiB; the largest
 * event holds the resource and both parties once more.
 */
export const MOST_BYTES = 640 * 1_024;
/** Kept for issuer and customer while they are not frozen, and more than the longest of both take: what is taken as a draft can be submitted. */
const PARTIES_BYTES = 40 * 1_024;

interface Counted {
  items: LineTerms[];
  discounts: DocumentAdjustment[];
  charges: DocumentAdjustment[];
}

/** A document as it stands after an event. */
export interface Sized {
  content: Counted;
  /** As everyone outside sees it. */
  resource(): object;
  /** Issuer and customer: `in` the resource, frozen and not in it yet, or not known (null). */
  parties: 'in' | object | null;
  /** What is to be made smaller. */
  field: string;
}

/**
 * The decider, refusing (validation_error) what would make a document too large to be stored and told of, before a number is spent.
 * `sizedAfter`: undefined for an event that makes it no larger; what the authority says is never refused.
 */
export function bounded<State, Command, Event extends { type: string }>(
  decider: Decider<State, Command, Event>,
  sizedAfter: (event: Event, state: State) => Sized | undefined,
): Decider<State, Command, Event> {
  return {
    ...decider,
    decide(command, before) {
      const events = decider.decide(command, before);
      let state = before;
      for (const event of events) {
        state = decider.evolve(state, event);
        const sized = sizedAfter(event, state);
        if (sized && !isSurelySmall(sized.content)) checkSize(sized);
      }
      return events;
    },
  };
}

function checkSize({ resource, parties, field }: Sized): void {
  const besides = parties === 'in' ? 0 : parties === null ? PARTIES_BYTES : jsonBytes(parties);
  const bytes = jsonBytes(resource()) + besides;
  if (bytes <= MOST_BYTES) return;
  const most = `${MOST_BYTES / 1_024} KiB of JSON with issuer and customer`;
  throw invalid({ [field]: [`make the document larger than ${most}: it would have ${bytes} bytes. Split it.`] });
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
