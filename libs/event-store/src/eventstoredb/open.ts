import { BACKWARDS, END, EventStoreDBClient, FORWARDS, START } from '@eventstore/db-client';
import { inStoreSpan, type Server } from '@svc/document-store/store-span';
import { type Clock, Denied, type Position } from '@svc/kernel';
import { namespaceOf } from '../remote/namespace.ts';
import type { Failure } from '../remote/bounded-retry.ts';
import { type RemoteLog, remoteStore, type Verbs } from '../remote/remote-store.ts';
import type { Found } from '../remote/watch.ts';
import { observedStore } from '../observed-store.ts';
import { createAppendCall } from './append-call.ts';
import { createAppend, answers, eventsOf, recordedAtOf, recordedOf, type StoredEvent, streamOf } from './stored-events.ts';

export interface EventStoreDbOptions {
  /** A connection string: `esdb://127.0.0.1:2113?tls=false`. */
  url: string;
  /** '' or `[a-z0-9]{1,16}`: see `namespaceOf`. */
  namespace: string;
  clock: Clock;
  logger: RemoteLog;
}

/** gRPC codes of errors that no repeat would resolve: invalid, not found, exists, precondition, unimplemented. */
const FINAL: unknown[] = [3, 5, 6, 9, 12];
/** `db.system.name` */
const SYSTEM = 'eventstoredb';
/** Most events of one read of `$all`. */
const LOOK_EVENTS = 1_000;
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

/** Bytes of a call that may arrive unread: with 64 KiB the subscriptions of a busy process are dropped. Set before the channel connects. */
const WINDOW = { 'grpc-node.flow_control_window': 1024 * 1024 };

/** The event store on EventStoreDB: one for each process. */
export function openEventStoreDb({ url, namespace, clock, logger }: EventStoreDbOptions) {
  const client = EventStoreDBClient.connectionString(url);
  const create: () => Promise<{ internalChannel: { options: object } }> = client['createChannel'];
  client['createChannel'] = () => create().then((made) => (Object.assign(made.internalChannel.options, WINDOW), made));
  const names = namespaceOf(namespace);
  const call = createAppendCall(client);
  const requiresLeader = true;
  const user = userOf(url);

  /** Throws `Denied` where the server denies the user. */
  async function allowed<T>(right: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      const { code } = error as Failure;
      if (code !== PERMISSION_DENIED && code !== UNAUTHENTICATED) throw error;
      throw new Denied({ server: 'EventStoreDB', user, right: code === UNAUTHENTICATED ? null : right, code }, { cause: error });
    }
  }

  const startOf = (position: Position) => (position === 0n ? START : { commit: position, prepare: position });

  async function after(signal: AbortSignal, position: Position): Promise<Found> {
    const call = client.readAll({ fromPosition: startOf(position), direction: FORWARDS, maxCount: LOOK_EVENTS, requiresLeader });
    const found: Found = { appended: [], position, isEnd: true };
    let count = 0;
    for await (const answer of answers(call, signal)) {
      const event = answer.getEvent()?.getEvent();
      if (!event) continue;
      count += 1;
      const at = BigInt(event.getCommitPosition());
      if (at <= position) continue; // the read includes the event at its beginning
      found.position = at;
      const stream = names.own(streamOf(event));
      if (stream !== undefined) found.appended.push([stream, BigInt(event.getStreamRevision())]);
    }
    return { ...found, isEnd: count < LOOK_EVENTS };
  }

  async function subscribe(...[signal, inbox, own]: Parameters<Verbs['subscribe']>): Promise<void> {
    const fromPosition = startOf(inbox.position());
    for await (const answer of answers(client.subscribeToAll({ fromPosition, requiresLeader }), signal)) {
      if (answer.hasCaughtUp()) inbox.setLive(true);
      const event = answer.getEvent()?.getEvent();
      if (!event) continue;
      const stream = names.own(streamOf(event));
      if (stream !== undefined) inbox.put(recordedOf(event, stream, own));
      inbox.advance(BigInt(event.getCommitPosition()));
      if (inbox.isFull()) await inbox.untilFree(signal);
    }
  }
  async function newest(signal: AbortSignal): Promise<StoredEvent | undefined> {
    const last = { fromPosition: END, direction: BACKWARDS, maxCount: 1, requiresLeader } as const;
    const [event] = await allowed('read $all', eventsOf(client.readAll(last), signal));
    return event;
  }
  const append = createAppend(call, names, clock);
  const { store, check, drain } = remoteStore(
    {
      async read(signal, stream, { from: fromRevision, max: maxCount, bytes }) {
        const call = client.readStream(names.stored(stream), { fromRevision, maxCount, requiresLeader });
        const events = await allowed('read streams', eventsOf(call, signal, bytes));
        return events.map((event) => recordedOf(event, stream));
      },
      async tail(signal, stream, maxCount) {
        const last = { fromRevision: END, direction: BACKWARDS, maxCount, requiresLeader } as const;
        const events = await allowed('read streams', eventsOf(client.readStream(names.stored(stream), last), signal));
        return events.map((event) => recordedOf(event, stream)).reverse();
      },
      append: (...asked) => allowed('write to streams', append(...asked)),
      newest: async (signal) => BigInt((await newest(signal))?.getCommitPosition() ?? 0),
      async newestAt(signal) {
        const event = await newest(signal);
        return event && recordedAtOf(event);
      },
      after: (signal, position) => allowed('read $all', after(signal, position)),
      /** All of `$all`: the server reports what a filtered subscription skips too late for a read barrier. */
      subscribe: (...asked) => allowed('read $all', subscribe(...asked)),
      /** By code: an error's class varies with the moment at which a call breaks. */
      isFinal: ({ code, type }) => FINAL.includes(code) && type !== 'not-leader',
    },
    clock,
    logger,
  );

  async function close(): Promise<void> {
    await drain();
    call.close();
    (await client['getChannel']()).close();
  }
  const server = serverOf(url);
  const head: typeof store.head = () =>
    inStoreSpan(() => ({ system: SYSTEM, operation: 'readAll', collection: '$all', namespace, server }), store.head);
  const operations = { read: 'readStream', append: 'appendToStream' };
  return { store: observedStore({ ...store, head }, { system: SYSTEM, namespace, server, operations }), check, close };
}

/** The user in the connection string, '' for none. It may list several hosts, which no URL does. */
export const userOf = (url: string): string => decodeURIComponent(/^[^/]*:\/\/([^:@/]+)(:[^@/]*)?@/.exec(url)?.[1] ?? '');

/** The one host in the connection string; undefined for several. */
export function serverOf(url: string): Server {
  const [, address, port = '2113'] = /^[^/]*:\/\/(?:[^@/]*@)?([^:,/?]+)(?::(\d+))?(?:[/?]|$)/.exec(url) ?? [];
  return address === undefined ? undefined : { address, port: Number(port) };
}
