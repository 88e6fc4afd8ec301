import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Conflict, toUuid, type Clock, type NewEvent } from '@svc/kernel';
import timestamps from 'google-protobuf/google/protobuf/timestamp_pb.js';
import type { Namespace } from '../remote/namespace.ts';
import type { Verbs } from '../remote/remote-store.ts';
import type { createAppendCall } from './append-call.ts';

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
