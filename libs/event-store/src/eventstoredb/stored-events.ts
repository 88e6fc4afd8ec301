import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import type { AllStreamSubscription, StreamingRead } from '@eventstore/db-client';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { fromUuid, parseExact, type EventMetadata, type Recorded, Conflict, toUuid, type Clock, type NewEvent } from '@svc/kernel';
import type { OwnEvents } from '../remote/own-events.ts';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import timestamps from 'google-protobuf/google/protobuf/timestamp_pb.js';
import type { Namespace } from '../remote/namespace.ts';
import type { Verbs } from '../remote/remote-store.ts';
import type { createAppendCall } from './append-call.ts';

export type StoredEvent = ReadResp.ReadEvent.RecordedEvent;
type Pass = (answer: ReadResp, encoding: unknown, next: (error: null, answer: ReadResp) => void) => void;
const asSent: { _transform: Pass } = { _transform: (answer, _, next) => next(null, answer) };

/**
 * The undecoded messages of a server call of the client, which would turn large numbers into doubles. Throws when the call breaks or is
 * aborted. Cancels the call when the consumer stops early.
 */
export function answers(call: StreamingRead<unknown> | AllStreamSubscription, signal: AbortSignal): AsyncIterable<ReadResp> {
  // A message that was received and is not read keeps the call and all its messages in memory for ever.
  (call as unknown as Writable).on('pipe', (received) => call.on('close', () => received.resume()));
  call.on('close', () => void ('cancel' in call ? call.cancel() : call.unsubscribe()).catch(() => undefined));
  call.on('error', () => undefined); // the client may emit another error when nothing listens any more
  return addAbortSignal(signal, Object.assign(call, asSent) as unknown as Readable);
}

/** The events of a call, up to the one that reaches so many bytes of data: then the call is cancelled. */
export async function eventsOf(call: StreamingRead<unknown>, signal: AbortSignal, bytes = Infinity): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  let sum = 0;
  for await (const answer of answers(call, signal)) {
    const event = answer.getEvent()?.getEvent();
    if (!event) continue;
    events.push(event);
    sum += event.getData_asU8().length;
    if (sum >= bytes) break;
  }
  return events;
}

const text = (bytes: Uint8Array = new Uint8Array()): string => Buffer.from(bytes).toString();

export const streamOf = (event: StoredEvent): string => text(event.getStreamIdentifier()?.getStreamName_asU8());

/** In milliseconds since 1970, by the server's clock. */
export const recordedAtOf = (event: StoredEvent): number => Math.floor(Number(event.getMetadataMap().get('created')) / 10_000); // in units of 100 ns

/** `stream`: its name without namespace. What `own` finds is not decoded. */
export function recordedOf(event: StoredEvent, stream: string, own?: OwnEvents): Recorded {
  const id = fromUuid(event.getId()?.getString() ?? '');
  return {
    ...(own?.(id) ?? {
      id,
      type: event.getMetadataMap().get('type') ?? '',
      data: parseExact(text(event.getData_asU8())) as object,
      metadata: JSON.parse(text(event.getCustomMetadata_asU8())) as EventMetadata,
    }),
    stream,
    revision: BigInt(event.getStreamRevision()),
    bytes: event.getData_asU8().length,
    recordedAt: recordedAtOf(event),
    position: BigInt(event.getCommitPosition()),
  };
}

/** The server does not write an append that it receives later. On the client's clock: longer than clocks are likely to differ. */
const DEADLINE_MS = 10_000;

const { Options, ProposedMessage } = streams.BatchAppendReq;
const uuid = (id: string) => new shared.UUID().setString(id);

/** One try. The server recognizes a repeat by its ids at its exact revision, also after a restart. */
export function createAppend({ send }: ReturnType<typeof createAppendCall>, { stored }: Namespace, clock: Clock): Verbs['append'] {
  return async (signal, { stream, expected, events, encoded }) => {
    const messages = encoded.map(({ data }, n) => {
      const { id, type, metadata } = events[n] as NewEvent;
      const message = new ProposedMessage().setId(uuid(toUuid(id))).setData(Buffer.from(data));
      message.getMetadataMap().set('type', type).set('content-type', 'application/json');
      return message.setCustomMetadata(Buffer.from(JSON.stringify(metadata)));
    });
    const options = new Options().setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stored(stream))));
    options.setDeadline(new timestamps.Timestamp().setSeconds(Math.ceil((clock.now() + DEADLINE_MS) / 1000)));
    if (expected === 'none') options.setNoStream(new shared.Empty());
    else options.setStreamPosition(String(expected));
    const request = new streams.BatchAppendReq().setOptions(options).setProposedMessagesList(messages).setIsFinal(true);

    const error = (await send(request, signal)).getError();
    if (!error) return (expected === 'none' ? -1n : expected) + BigInt(events.length);
    const wrong = error.getDetails()?.unpack(shared.WrongExpectedVersion.deserializeBinary, 'event_store.client.WrongExpectedVersion');
    if (wrong) throw new Conflict(stream, expected, wrong.hasCurrentStreamRevision() ? BigInt(wrong.getCurrentStreamRevision()) : 'none');
    throw Object.assign(new Error(`EventStoreDB: ${error.getMessage()}`), { code: error.getCode() });
  };
}
