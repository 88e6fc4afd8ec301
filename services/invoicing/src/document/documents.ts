import type { HistoryEntry } from '@svc/contracts/document/history';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import {
  createCommandHandler,
  iso,
  notFound,
  DomainError,
  StateCache,
  streamOf,
  uidOf,
  versionAt,
  type CommandHandler,
  type DomainEvent,
  type EventMetadata,
  type Folded,
  type Turn,
} from '@svc/kernel';
import { checkVersion, type History, type Identity, type IfMatch } from '@svc/service';
import { metadataOf, type InvoicingContext } from '../context.ts';
import { checkRoom, MOST_STATE_BYTES } from '../longest-stream.ts';
import { takeNumber } from '../series/take-number.ts';
import type { Continuing, DocumentRef } from './process/process.ts';
import { bounded } from './bounded.ts';
import type { DocumentDefinition } from './definition.ts';
import type { BeingNumbered, NumberCommand } from './domain/numbering.ts';
import type { DocumentCommand } from './domain/outcome.ts';
import { entriesOf } from './history.ts';
import { outcomeCommand, outcomeMetadata } from './outcome.ts';
import { requestedCustomer } from './numbering.ts';

/** Who asks, and what with. */
export interface Call {
  context: InvoicingContext;
  identity: Identity;
  /** The request's. */
  turn?: Turn;
}

/** A document that a caller names, and the versions it may have. */
export interface Named {
  id: string;
  ifMatch: IfMatch | undefined;
}

/** The streams of one document and the use cases that all documents have, with one cache of states a store. */
export function createDocuments<
  State extends object,
  Shown extends State,
  Command extends { type: string },
  Event extends DomainEvent,
  Resource,
>(definition: DocumentDefinition<State, Shown, Command, Event, Resource>) {
  type Handler = CommandHandler<State | null, Command | DocumentCommand, Event>;
  type After = Pick<Folded<State | null>, 'state' | 'revision'>;
  const { name, prefix, sizes, eventsBefore, isShown, resource, events } = definition;
  const handlers = new WeakMap<InvoicingContext['store'], Handler>();

  function handlerOf({ store, ids }: Pick<InvoicingContext, 'store' | 'ids'>): Handler {
    const found = handlers.get(store);
    if (found) return found;
    const decider = bounded(definition.decider, sizes);
    const handler: Handler = createCommandHandler({
      ...{ streams: store, decider, ids, decode: events.decode, versionOf: events.versionOf },
      cache: new StateCache<State | null>({ mostBytes: MOST_STATE_BYTES }),
    });
    handlers.set(store, handler);
    return handler;
  }

  /** Throws not_found for what is no id of this document. */
  function stream({ account, env, id }: DocumentRef): string {
    if (uidOf(prefix, id) === undefined) throw notFound(name);
    return streamOf(name, env, account, id);
  }

  const load = (context: Pick<InvoicingContext, 'store' | 'ids'>, ref: DocumentRef, turn?: Turn): Promise<Folded<State | null>> =>
    handlerOf(context).load(stream(ref), turn);

  /** As the store has it now. Throws not_found. */
  async function current(context: Pick<InvoicingContext, 'store' | 'ids'>, ref: DocumentRef, turn?: Turn): Promise<Folded<Shown>> {
    const { state, ...folded } = await load(context, ref, turn);
    if (!isShown(state)) throw notFound(name);
    return { ...folded, state };
  }

  /** The version that callers see. */
  const versionOf = (revision: bigint | 'none'): number => versionAt(revision) - eventsBefore;

  /** Throws not_found where callers cannot see it. */
  function resourceAfter({ state, revision }: After): Resource {
    if (!isShown(state)) throw notFound(name);
    return resource(state, versionOf(revision));
  }

  /** A command on an existing document at a version that the caller allows. Throws not_found, version_conflict, invalid_state where its stream is full. */
  const onExisting =
    <C extends Command | DocumentCommand>({ ifMatch }: Named, commandOn: (state: Shown, version: number, bytes: number) => C) =>
    (state: State | null, version: number, bytes: number): C => {
      if (!isShown(state)) throw notFound(name);
      checkVersion(ifMatch, version - eventsBefore);
      checkRoom(version, definition.instead);
      return commandOn(state, version, bytes);
    };

  const handle = (
    context: Pick<InvoicingContext, 'store' | 'ids'>,
    ref: DocumentRef,
    decideOn: Parameters<Handler['handle']>[1],
    metadata: Omit<EventMetadata, 'v'>,
    turn?: Turn,
  ): ReturnType<Handler['handle']> => handlerOf(context).handle(stream(ref), decideOn, metadata, turn);

  async function change(
    { context, identity, turn }: Call,
    { id, ...named }: Named,
    commandOn: (state: Shown, version: number, bytes: number) => Command | DocumentCommand,
  ): Promise<Resource> {
    const { account, env } = identity;
    const decideOn = onExisting({ id, ...named }, commandOn);
    return resourceAfter(await handle(context, { account, env, id }, decideOn, metadataOf(identity), turn));
  }

  return {
    definition,
    stream,
    load,
    current,
    resourceAfter,
    onExisting,
    handle,
    /** Throws not_found, version_conflict, and what the command's decision throws. */
    change,

    /** As the store has it now. Throws not_found. */
    read: async ({ context, identity: { account, env }, turn }: Call, id: string): Promise<Resource> =>
      resourceAfter(await current(context, { account, env, id }, turn)),

    /**
     * Voids at once what was never registered; a registered document is void when the authority has annulled it. Throws not_found,
     * version_conflict, validation_error naming `reason`, invalid_state.
     */
    void: (call: Call, { reason, ...named }: Named & { reason: string | null }): Promise<Resource> =>
      change(call, named, () => ({ type: 'void', at: iso(call.context.clock.now()), reason })),

    /** Throws not_found. */
    async history({ context, identity: { account, env }, turn }: Call, id: string): Promise<History<HistoryEntry>> {
      const ref = { account, env, id };
      const { revision } = await current(context, ref, turn);
      return { total: versionOf(revision), entries: (range, turn) => entriesOf(definition, { context, stream: stream(ref), range, turn }) };
    },

    /** Repeated, or about a round or a request that is over, it changes nothing. */
    async applyOutcome(context: InvoicingContext, event: PublicEvent): Promise<void> {
      const { account, env, subject: id } = event;
      const command = outcomeCommand(event, iso(context.clock.now()));
      if (command) await handle(context, { account, env, id }, () => command, outcomeMetadata(event));
    },

    /**
     * The steps after a request for a number: takes it, or finds that none can be taken, and stores that in the document. Any number of actors may run
     * it at any time, all come to the same number. Answers the document as it is then.
     */
    async takeNumber(context: InvoicingContext, ref: DocumentRef, metadata: Continuing): Promise<Folded<State | null>> {
      const now = await load(context, ref);
      if (!isBeingNumbered(now.state)) return now;
      const { numbering, request = 1, parties, earlier_release } = now.state;
      const asked = { stream: stream(ref), revision: now.revision, type: definition.numberRequested };
      const { customer = null, obstacle } = parties.customer ? await requestedCustomer(context, asked, parties.customer) : {};
      const taken = await takeNumber(context, { numbering, document: ref.id, request, metadata, obstacle, earlier_release });
      const at = iso(context.clock.now());
      const command: NumberCommand =
        taken instanceof DomainError
          ? { type: 'refuse_number', at, request, details: taken.details ?? {} }
          : { type: 'number', at, request, taken, parties: { ...parties, customer } };
      return handle(context, ref, () => command, metadata);
    },
  };
}

const isBeingNumbered = (state: object | null): state is BeingNumbered<null> =>
  state !== null && 'status' in state && state.status === 'being_numbered';
