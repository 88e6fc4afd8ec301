import { invalid, jsonBytes, type Decider, type DomainEvent } from '@svc/kernel';
import type { DocumentDefinition } from './definition.ts';
import type { DocumentCommand } from './domain/outcome.ts';
import { isNumbered, type DocumentContent, type Written, isBeingNumbered } from './domain/state.ts';
import { partiesOf } from './domain/parties.ts';

/**
 * Of what is written, as the resource with frozen issuer and customer. Its largest event holds these twice and what the authority answers: less than the
 * bus and EventStoreDB take.
 */
const MOST_BYTES = 640 * 1_024;
/** Kept for issuer and customer while they are not frozen, and more than the longest of both take: what is taken as a draft can be submitted. */
const PARTIES_BYTES = 40 * 1_024;

/** A resource, as far as its size depends on who sees it. */
export interface Measured {
  issuer: object | null;
  customer: object | null;
}

/**
 * The decider, refusing what makes a document larger than `MOST_BYTES` before it is stored. What the authority has answered may have made it larger: then
 * it may change without growing. Throws validation_error naming what is written.
 */
export function bounded<State extends object, Shown extends State, Command extends { type: string }, Event extends DomainEvent>({
  decider,
  isShown,
  resource,
  written,
}: DocumentDefinition<State, Shown, Command, Event, Measured>): Decider<State | null, Command | DocumentCommand, Event> {
  return {
    ...decider,
    decide(command, before) {
      const events = decider.decide(command, before);
      const last = events.at(-1);
      const field = last ? written(last) : null;
      if (!last || field === null) return events;
      const state = events.reduce(decider.evolve, before);
      if (isSurelySmall((state as Written<DocumentContent>).content)) return events;
      const after = onceNumbered(decider, state, last);
      const now = resource(after as Shown, 1);
      const own = ownBytes(now);
      const bytes = own + (isNumbered(after) ? jsonBytes({ issuer: now.issuer, customer: now.customer }) : PARTIES_BYTES);
      if (bytes > MOST_BYTES && !(isShown(before) && own <= ownBytes(resource(before, 1)))) throw tooLarge(field, bytes);
      return events;
    },
  };
}

const ownBytes = (resource: Measured): number => jsonBytes({ ...resource, issuer: null, customer: null });

const tooLarge = (field: string, bytes: number) =>
  invalid({
    [field]: [
      `make the document larger than ${MOST_BYTES / 1_024} KiB of JSON with issuer and customer: it would have ${bytes} bytes. Split it.`,
    ],
  });

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

/** The document as it is once it has its number, which is as long as any; itself unless its last event, `requested`, asks for one. */
export function onceNumbered<State extends object, Command extends { type: string }, Event extends DomainEvent>(
  { decide, evolve }: Pick<Decider<State | null, Command | DocumentCommand, Event>, 'decide' | 'evolve'>,
  state: State | null,
  { data }: Event,
): State | null {
  if (!isBeingNumbered(state)) return state;
  const { id, created_at: at } = state as unknown as Written<unknown>;
  const taken = { document: id, seq: Number.MAX_SAFE_INTEGER, number: '9'.repeat(255), issued_at: at, issue_date: at.slice(0, 10) };
  const parties = partiesOf(data as Parameters<typeof partiesOf>[0]);
  return decide({ type: 'number', at, request: state.request ?? 1, taken, parties }, state).reduce(evolve, state);
}
