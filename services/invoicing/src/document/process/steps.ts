import { DomainError, iso, type DomainEvent, type Folded, versionAt, type Recorded, categoryOf, idOf } from '@svc/kernel';
import { rulesOfAuthority } from '@svc/tax-rules';
import { takeNumber } from '../../numbering/take-number.ts';
import type { Measured } from '../bounded.ts';
import type { Documents } from '../documents.ts';
import { isBeingNumbered, type NumberCommand, isNumbered } from '../domain/state.ts';
import { isBeingReversed } from '../domain/outcome.ts';
import { unnumbered } from '../domain/reversal.ts';
import { countNumber, lostSince, requestedCustomer } from '../numbering.ts';
import type { Due, Process } from './process.ts';
import type { Collection, Job, Index, Write } from '@svc/document-store';
import type { DocumentRef } from '../context.ts';

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
      const asked = { stream: documents.stream(ref), revision: now.revision, types: numberRequested, events: now.events };
      const { customer = null, obstacle } = parties.customer ? await requestedCustomer(context, asked, parties.customer) : {};
      const lost = await lostSince(context, asked);
      const { authority, time_zone } = parties.issuer;
      const onIssueDateIn = rulesOfAuthority(authority)?.registers_day_of_number ? time_zone : undefined;
      const taken = await takeNumber(context, {
        ...{ numbering, document: ref.id, request, metadata },
        ...{ onIssueDateIn, obstacle: lost ?? obstacle },
      });
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

/** A document between steps. `_id` is its stream. */
export interface BetweenSteps extends Job, DocumentRef {
  category: string;
}

export const betweenStepsIndexes: Index[] = [{ fields: ['due_at'] }];

/** The caller that began has so long to continue before another process does. */
const HEAD_START_MS = 2_000;

/** A row's version is its stream's, times this: so many times a row can be claimed for work before the stream goes on. */
const CLAIMS = 2 ** 32;
const versionOf = ({ revision }: Recorded): number => versionAt(revision) * CLAIMS;

/**
 * A subscription's handler that keeps a row for each document that is between steps. A process whose lease has passed may still write: a row is
 * written only over one of an earlier event, and deleted only as it was seen, by an event that came after it. What is written all the
 * same for a document at rest, the worker deletes: it looks at the stream.
 */
export function projectBetweenSteps(
  processes: readonly Process[],
  rows: Pick<Collection<BetweenSteps>, 'find' | 'write'>,
): (events: Recorded[]) => Promise<void> {
  const byCategory = new Map(processes.map((one) => [one.category, one]));

  async function deletesOf(done: ReadonlyMap<string, Recorded>): Promise<Write<BetweenSteps>[]> {
    const found = done.size === 0 ? [] : await Array.fromAsync(rows.find({ _id: { $in: [...done.keys()] } }, { limit: done.size }));
    return found.flatMap(({ _id, version }) => (version < versionOf(done.get(_id) as Recorded) ? [{ delete: _id, version }] : []));
  }

  return async (events) => {
    const open = new Map<string, Recorded>();
    const done = new Map<string, Recorded>();
    for (const recorded of events) {
      const step = byCategory.get(categoryOf(recorded.stream))?.afterEvent(recorded);
      if (step === undefined) continue;
      const [to, from] = step === 'open' ? [open, done] : [done, open];
      from.delete(recorded.stream);
      to.set(recorded.stream, recorded);
    }
    const ops = [...(await deletesOf(done)), ...Array.from(open.values(), (recorded) => ({ put: rowOf(recorded) }))];
    if (ops.length > 0) await rows.write(ops);
  };
}

const rowOf = (recorded: Recorded): BetweenSteps => {
  const { stream, recordedAt, metadata } = recorded;
  const { account, env } = metadata;
  return {
    _id: stream,
    version: versionOf(recorded),
    due_at: recordedAt + HEAD_START_MS,
    category: categoryOf(stream),
    account,
    env,
    id: idOf(stream),
  };
};
