import { documents } from '@svc/contracts/documents';
import { type Calculated, checkCalculated } from '@svc/contracts/schema/calculated';
import type { HistoryEntry } from '@svc/contracts/document/history';
import {
  createCommandHandler,
  madeAfter,
  notFound,
  JsonText,
  StateCache,
  streamOf,
  uidOf,
  versionAt,
  type CommandHandler,
  type DomainEvent,
  type Folded,
  type NewEvent,
  type Turn,
} from '@svc/kernel';
import { checkVersion, type History, metadataOf } from '@svc/service';
import { calculatedCheck } from '../calculated.ts';
import type { Call, Named, Reading, Stores, Written, Continuing, DocumentRef } from './context.ts';
import { checkLength, MOST_STATE_BYTES } from '../longest-stream.ts';
import { bounded, type Measured, onceNumbered } from './bounded.ts';
import type { DocumentDefinition } from './definition.ts';
import type { DocumentCommand } from './domain/outcome.ts';
import { countingPublished, entriesOf } from './history.ts';
import type { Seen } from './wait.ts';

/** The streams of one document and the use cases that all documents have, with one cache of states a store. */
export function createDocuments<
  State extends object,
  Shown extends State,
  Command extends { type: string },
  Event extends DomainEvent,
  Resource extends Measured,
>(described: DocumentDefinition<State, Shown, Command, Event, Resource>) {
  const definition = { ...described, decider: countingPublished(described.decider, described) };
  type Handler = CommandHandler<State | null, Command | DocumentCommand, Event>;
  type DecideOn = Parameters<Handler['handle']>[1];
  type Known = Pick<Folded<State | null>, 'state' | 'revision'> & Pick<NewEvent, 'after'>;
  const { name, eventsBefore, isShown, resource, events } = definition;
  const decider = bounded(definition);
  const handlers = new WeakMap<Stores['store'], Handler>();
  /** Of states in the cache: what a read answers. */
  const texts = new WeakMap<Shown, JsonText>();

  function handlerOf({ store, ids }: Stores): Handler {
    const found = handlers.get(store);
    if (found) return found;
    const handler: Handler = createCommandHandler({
      ...{ streams: store, decider, ids, subjectOf, ...events },
      cache: new StateCache<State | null>({ mostBytes: MOST_STATE_BYTES }),
    });
    handlers.set(store, handler);
    return handler;
  }

  /** Throws not_found for what is no id of this document. */
  function stream({ account, env, id }: DocumentRef): string {
    if (uidOf(documents[name].prefix, id) === undefined) throw notFound(name);
    return streamOf(name, env, account, id);
  }

  const load = (stores: Stores, ref: DocumentRef, turn?: Turn): Promise<Folded<State | null>> => handlerOf(stores).load(stream(ref), turn);

  /** As the store has it now. Throws not_found. */
  async function current(stores: Stores, ref: DocumentRef, turn?: Turn): Promise<Folded<Shown>> {
    const { state, ...folded } = await load(stores, ref, turn);
    if (!isShown(state)) throw notFound(name);
    return { ...folded, state };
  }

  async function written({ context, identity, turn }: Reading, id: string): Promise<Written<Shown>> {
    const { state, revision } = await current(context, { ...identity, id }, turn);
    const version = versionOf(revision);
    const known = texts.get(state);
    if (known?.version === version) return { state, text: known };
    const text = new JsonText(JSON.stringify(resource(state, version)), version);
    texts.set(state, text);
    return { state, text };
  }

  /** The version that callers see. */
  const versionOf = (revision: bigint | 'none'): number => versionAt(revision) - eventsBefore;

  /** `after`: what the command's last event carries. Throws not_found where callers cannot see it. */
  function resourceAfter({ state, revision, after }: Known): Resource {
    if (!isShown(state)) throw notFound(name);
    const version = versionOf(revision);
    return madeAfter({ after }, () => resource(state, version));
  }

  /** A command on an existing document at a version that the caller allows. Throws not_found, version_conflict, invalid_state where its stream is full. */
  const onExisting =
    ({ ifMatch }: Named, commandOn: (state: Shown, version: number, bytes: number) => ReturnType<DecideOn>): DecideOn =>
    (state, version, bytes) => {
      if (!isShown(state)) throw notFound(name);
      checkVersion(ifMatch, version - eventsBefore);
      checkLength(version, definition.instead);
      return commandOn(state, version, bytes);
    };

  const checked = calculatedCheck<State | null, Command | DocumentCommand, Event>(
    {
      ...decider,
      evolve: (state, event) => onceNumbered(decider, decider.evolve(state, event), event), // a receipt is not shown before
    },
    (state, version) => (isShown(state) ? resource(state, version) : undefined),
  );

  /** Carries out a caller's command. Throws what `decideOn` and the decision throw, and validation_error for calculated fields of other values. */
  const run = ({ context, identity, turn, heavyTurn, calculated }: Call, id: string, decideOn: DecideOn): ReturnType<Handler['handle']> => {
    let heavy: Promise<void> | undefined;
    /** One turn, however often it is decided. */
    const inTurn: DecideOn = (state, version, bytes) => {
      heavy ??= heavyTurn?.(bytes);
      return heavy ? heavy.then(() => decideOn(state, version, bytes)) : decideOn(state, version, bytes);
    };
    const comparing: DecideOn = async (state, version, bytes) => {
      const command = checked(calculated, await inTurn(state, version, bytes), { state, version: version - eventsBefore });
      await turn?.(0); // the decision may be made a second time
      return command;
    };
    return handlerOf(context).handle(stream({ ...identity, id }), calculated ? comparing : inTurn, metadataOf(identity), turn);
  };

  /** Throws not_found, version_conflict, and what the command's decision throws. */
  const change = async (call: Call, named: Named, commandOn: Parameters<typeof onExisting>[1]): Promise<Resource> =>
    resourceAfter(await run(call, named.id, onExisting(named, commandOn)));

  /** A command that goes on with what a caller asked for before. */
  const carryOut = (context: Stores, ref: DocumentRef, decideOn: DecideOn, metadata: Continuing): ReturnType<Handler['handle']> =>
    handlerOf(context).handle(stream(ref), decideOn, metadata);

  return {
    definition,
    stream,
    load,
    current,
    resourceAfter,
    onExisting,
    run,
    change,

    /** What a command would make where nothing is yet, by the decision that would make it; nothing is stored. Throws what `run` throws. */
    preview(command: Command, calculated: Calculated | undefined): { state: Shown; resource: Resource } {
      const state = decider.decide(command, null).reduce<State | null>(decider.evolve, null);
      if (!isShown(state)) throw notFound(name);
      const made = resource(state, 1);
      checkCalculated(calculated, null, () => made);
      return { state, resource: made };
    },
    carryOut,

    /** The resource as the store has it now. Throws not_found. */
    written,
    /** Its text. Throws not_found. */
    text: async (reading: Reading, id: string): Promise<JsonText> => (await written(reading, id)).text,

    /** As the store has it now. Throws not_found. */
    read: async ({ context, identity, turn }: Reading, id: string): Promise<Resource> =>
      resourceAfter(await current(context, { ...identity, id }, turn)),

    /** As the store has it now, and at which revision. Throws not_found. */
    async see({ context, identity, turn }: Reading, id: string): Promise<Seen<Resource>> {
      const { state, revision, bytes } = await current(context, { ...identity, id }, turn);
      return { resource: resourceAfter({ state, revision }), revision: revision as bigint, bytes };
    },

    /** Throws not_found. */
    async history({ context, identity, turn }: Call, id: string): Promise<History<HistoryEntry>> {
      const ref = { ...identity, id };
      const { revision } = await current(context, ref, turn);
      return { total: versionOf(revision), entries: (range, turn) => entriesOf(definition, { context, stream: stream(ref), range, turn }) };
    },
  };
}

export type Documents<
  State extends object,
  Shown extends State,
  Command extends { type: string },
  Event extends DomainEvent,
  Resource extends Measured,
> = ReturnType<typeof createDocuments<State, Shown, Command, Event, Resource>>;

/** Whose personal data stand encrypted in an event: the customer's, while a number is asked for. */
const subjectOf = ({ data }: { data: { personal?: object | null; parties?: { customer: { id: string } | null } } }): string | undefined =>
  data.personal ? data.parties?.customer?.id : undefined;
