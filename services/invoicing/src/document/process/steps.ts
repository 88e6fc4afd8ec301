import { DomainError, iso, type DomainEvent, type Folded } from '@svc/kernel';
import { takeNumber } from '../../numbering/take-number.ts';
import type { Measured } from '../bounded.ts';
import type { Documents } from '../documents.ts';
import { isBeingNumbered, type NumberCommand } from '../domain/numbering.ts';
import { isBeingReversed } from '../domain/outcome.ts';
import { unnumbered } from '../domain/reversal.ts';
import { isNumbered } from '../domain/state.ts';
import { countNumber } from '../metrics.ts';
import { lostSince, requestedCustomer } from '../numbering.ts';
import type { Due } from './process.ts';

/** The steps that all documents have. */
export function documentSteps<
  State extends object,
  Shown extends State,
  Command extends { type: string },
  Event extends DomainEvent,
  Resource extends Measured,
>(documents: Documents<State, Shown, Command, Event, Resource>) {
  const { eventName, numberRequested } = documents.definition;

  return {
    /** Takes the number that the document has asked for, or finds that none can be taken, and stores that. */
    async takeNumber({ context, ref, now, metadata }: Due<State, unknown>): Promise<Folded<State | null>> {
      const { state } = now;
      if (!isBeingNumbered(state)) throw new TypeError(`${ref.id} has asked for no number`);
      const { numbering, request = 1, parties } = state;
      const asked = { stream: documents.stream(ref), revision: now.revision, types: numberRequested };
      const { customer = null, obstacle } = parties.customer ? await requestedCustomer(context, asked, parties.customer) : {};
      const lost = await lostSince(context, asked);
      const taken = await takeNumber(context, { numbering, document: ref.id, request, metadata, obstacle: lost ?? obstacle });
      countNumber(taken instanceof DomainError ? 'refused' : 'taken');
      const at = iso(context.clock.now());
      const command: NumberCommand =
        taken instanceof DomainError
          ? { type: 'refuse_number', at, request, details: taken.details ?? {} }
          : { type: 'number', at, request, taken, parties: { ...parties, customer } };
      return documents.carryOut(context, ref, () => command, metadata);
    },

    /**
     * Makes the corrective by which a registered document is voided, and goes on with it: it asks for its number at once. The request is refused where a backup
     * holds it without the corrective, which the authority may have.
     */
    async reverse({ context, ref, now, metadata, proceed }: Due<State, unknown>): Promise<undefined> {
      const { state: original, revision } = now;
      if (!isNumbered(original) || !isBeingReversed(original)) throw new TypeError(`${ref.id} is voided by no corrective`);
      const { document } = original.void;
      const reversal = { ...ref, id: document };
      const at = iso(context.clock.now());
      const lost = await lostSince(context, { stream: documents.stream(ref), revision, types: [`${eventName}ReversalRequested`] });
      if (lost && (await documents.load(context, reversal)).state === null) {
        const error = unnumbered(lost.details ?? {});
        await documents.carryOut(context, ref, () => ({ type: 'end_reversal', at, document, error }), metadata);
      } else await proceed(reversal, await documents.carryOut(context, reversal, () => ({ type: 'reverse', at, original }), metadata));
    },
  };
}
