import { metadataOf } from '@svc/service';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import { PersonalDataErased } from '@svc/event-store';
import { invalid, iso, type DomainEvent, type Folded, type Recorded, prefixed } from '@svc/kernel';
import type { Measured } from '../bounded.ts';
import type { Call, DocumentContext, Named, Continuing, DocumentRef } from '../context.ts';
import type { Documents } from '../documents.ts';
import { customerErased, numberingFor } from '../numbering.ts';
import { outcomeCommand, outcomeMetadata } from '../outcome.ts';
import type { SeriesKind } from '@svc/contracts/issuer/series';
import { documents, type DocumentKind } from '@svc/contracts/documents';
import { pointOfSale, type PointOfSale } from '../../issuer/domain/point-of-sale.ts';
import { missingFor } from '../../issuer/domain/setup.ts';
import { isVoidedByCorrective, type PlannedReversal } from '../domain/reversal.ts';
import { isNumbered } from '../domain/state.ts';

/** A document as it is known to be. `events`: those that made it so, where this process has just appended them. */
type Known<State> = Folded<State | null> & { events?: readonly DomainEvent[] };

/** What a step works on: the document as it was when the step was found to be due. */
export interface Due<State, Step> {
  context: DocumentContext;
  ref: DocumentRef;
  now: Known<State> & { state: State };
  step: Step;
  metadata: Continuing;
  /** Runs the steps that are due on another document of this kind. `from`: as it is known to be. */
  proceed(ref: DocumentRef, from?: Folded<State | null>): Promise<unknown>;
}

/**
 * Carries out a step. Any number of actors may, at any time, and all come to the same; what is done already changes nothing. Answers the document where
 * the step went on with it; undefined where what it did stands on another stream.
 */
type Run<State, Step> = (due: Due<State, Step>) => Promise<Folded<State | null> | undefined>;

/** The table of a kind's process. What it decides with is pure, and stands beside the decider. */
export interface ProcessTable<State, Step extends { do: string }> {
  /** The steps that are due in a state, in their order. Of those on its own stream only the last is ever one. */
  dueSteps(state: State): Step[];
  /** Whether a caller waits for what comes of its request: the errors of the steps after it are the caller's. */
  isAsking(state: State): boolean;
  /** What an event says of the steps that the job looks for: `open`, one is due; `done`, none is; undefined, nothing. */
  afterEvent(event: Pick<Recorded, 'type' | 'data'>): 'open' | 'done' | undefined;
  steps: { [Name in Step['do']]: Run<State, Extract<Step, { do: Name }>> };
}

/** What the job needs of a process. */
export interface Process {
  category: string;
  afterEvent: ProcessTable<never, never>['afterEvent'];
  /** Runs the steps that are due; any number of actors may, at any time. Returns when the document is at rest. */
  finish(context: DocumentContext, ref: DocumentRef): Promise<void>;
}

/**
 * What follows from a document's events, on its own stream and on others. Steps run in the turn of the command, the outcome or the request that makes them
 * due, and again by the job (`finish`) until none is.
 */
export function createProcess<
  State extends object,
  Shown extends State,
  Command extends { type: string },
  Event extends DomainEvent,
  Resource extends Measured,
  Step extends { do: string },
>(documents: Documents<State, Shown, Command, Event, Resource>, { dueSteps, isAsking, afterEvent, steps }: ProcessTable<State, Step>) {
  const { name, reversalSeries } = documents.definition;

  /** Runs all steps that are due, and answers the document as it is then. `from`: as it is known to be. */
  async function proceed(
    context: DocumentContext,
    ref: DocumentRef,
    metadata: Continuing,
    from?: Known<State>,
  ): Promise<Folded<State | null>> {
    let now: Known<State> = from ?? (await documents.load(context, ref));
    for (;;) {
      const { state } = now;
      const due = state === null ? [] : dueSteps(state);
      if (state === null || due.length === 0) return now;
      const work = {
        context,
        ref,
        now: { ...now, state },
        metadata,
        proceed: (other: DocumentRef, as?: Folded<State | null>) => proceed(context, other, metadata, as),
      };
      let then: Known<State> | undefined;
      for (const step of due) then = await (steps[step.do as Step['do']] as Run<State, Step>)({ ...work, step });
      then ??= await documents.load(context, ref);
      if (then.revision === now.revision) return then; // what it waits for is on another stream
      now = then;
    }
  }

  /** The same, after what has been stored: where it fails, the job goes on from there. */
  async function goOn(...of: Parameters<typeof proceed>): Promise<void> {
    const [{ logger }, { id }] = of;
    await proceed(...of).catch((error: unknown) => {
      logger.warn({ document: id, err: error }, 'the steps after a command could not be run; they are tried again');
    });
  }

  const continuing = ({ identity }: Call): Continuing => {
    const { command_id: _, ...metadata } = metadataOf(identity);
    return metadata;
  };

  return {
    category: name,
    afterEvent,
    proceed,

    async finish(context: DocumentContext, ref: DocumentRef): Promise<void> {
      const { account, env } = ref;
      await proceed(context, ref, { account, env, actor: { type: 'system', id: 'invoicing' } });
    },

    /** A command that asks for a number, and the steps after it. Answers the document as it is then. Throws validation_error where the customer was erased meanwhile. */
    async runNumbered(call: Call, id: string, decideOn: Parameters<typeof documents.run>[2]): Promise<Folded<State | null>> {
      const asked = await documents.run(call, id, decideOn).catch((error: unknown) => {
        throw error instanceof PersonalDataErased ? customerErased() : error;
      });
      if (asked.state === null || !isAsking(asked.state)) return asked; // repeated: what else is due is not this caller's
      return proceed(call.context, { ...call.identity, id }, continuing(call), asked);
    },

    /**
     * Voids at once what was never registered; a registered document is void when the authority has annulled it or has registered its corrective, which has
     * its number when this returns. Throws not_found, version_conflict, validation_error naming `reason`, or `series` where it cannot number the corrective,
     * invalid_state.
     */
    async void(call: Call, { reason, ...named }: Named & { reason: string | null }): Promise<Resource> {
      const voidOf = documents.onExisting(named, async (state) => {
        const reversal = await planReversal(call, state, { kind: name, series: reversalSeries });
        return { type: 'void', at: iso(call.context.clock.now()), reason, reversal };
      });
      const voided = await documents.run(call, named.id, voidOf);
      await goOn(call.context, { ...call.identity, id: named.id }, continuing(call), voided);
      return documents.resourceAfter(voided);
    },

    /** The authority's outcome, and what follows from it; where a crash came between, the job goes on. Repeated, or about a round or a request that is over, or of a type that this release does not know, it changes nothing. */
    async applyOutcome(context: DocumentContext, event: PublicEvent): Promise<void> {
      const command = outcomeCommand(event, iso(context.clock.now()));
      if (!command) return;
      const ref = { account: event.account, env: event.env, id: event.subject };
      const metadata = outcomeMetadata(event);
      const applied = await documents.carryOut(context, ref, () => command, metadata);
      if (applied.events.length === 0) return;
      context.away.learn(command, applied.state);
      await goOn(context, ref, metadata, applied);
    },
  };
}

/**
 * The corrective that a void asked for now is to make: where the document was issued, in the series that the issuer has now. undefined where the
 * authority annuls, or nothing is registered.
 */
async function planReversal(
  { context, identity: { account, env, livemode }, certified }: Pick<Call, 'context' | 'identity' | 'certified'>,
  state: object,
  { kind, series }: { kind: DocumentKind; series: SeriesKind },
): Promise<PlannedReversal | undefined> {
  if (!isNumbered(state) || state.status === 'voiding' || state.status === 'voided') return undefined;
  const { content, parties, fiscal } = state;
  if (fiscal.status === 'rejected' || !isVoidedByCorrective(parties.issuer)) return undefined;
  const issuer = await context.issuers.of(account, env);
  const { unit, device } = pointOfSale(content as Partial<PointOfSale>, parties.issuer);
  const { code } = issuer.series[series];
  const asked = { account, env, kind: series, code, unit, device, issueDate: null };
  const provided = { lacking: context.lacking, certified: await certified?.() };
  const missing = missingFor({ ...parties.issuer, livemode }, provided);
  const numbering = Object.keys(missing).length > 0 ? invalid(missing) : await numberingFor(context, issuer, asked);
  return { document: prefixed(documents[kind].prefix, context.ids.next()), numbering };
}
