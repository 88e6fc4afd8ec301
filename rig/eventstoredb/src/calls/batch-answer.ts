import streams from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import { status } from '@grpc/grpc-js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { Written } from '../log/event-log.ts';
import { EXPECT, NO_EVENTS } from '../log/append-decision.ts';
import { idBits, MAX_APPEND_BYTES } from './proposed.ts';

/** One BatchAppend response. Failures are sent in band too, so that the call continues. */
const answer = (correlation: UUID, stream: StreamIdentifier): BatchAppendResp => {
  const response = new streams.BatchAppendResp();
  response.setCorrelationId(correlation);
  response.setStreamIdentifier(stream);
  return response;
};

interface Detail {
  serializeBinary(): Uint8Array;
}
/** A `google.rpc.Status` whose message is the name of the detail's type. */
function failed(correlation: UUID, stream: StreamIdentifier, code: status, name: string, detail: Detail): BatchAppendResp {
  const packed = new any.Any();
  packed.setTypeUrl(`type.googleapis.com/event_store.client.${name}`);
  packed.setValue(detail.serializeBinary());
  const error = new statuses.Status();
  // The enum of this message has gRPC's numbers.
  error.setCode(code as number as Parameters<typeof error.setCode>[0]);
  error.setMessage(name);
  error.setDetails(packed);
  const response = answer(correlation, stream);
  response.setError(error);
  return response;
}

export function badRequest(correlation: UUID, stream: StreamIdentifier, message: string): BatchAppendResp {
  const detail = new shared.BadRequest();
  detail.setMessage(message);
  return failed(correlation, stream, status.INVALID_ARGUMENT, 'BadRequest', detail);
}

export function tooBig(correlation: UUID, stream: StreamIdentifier): BatchAppendResp {
  const detail = new shared.MaximumAppendSizeExceeded();
  detail.setMaxappendsize(MAX_APPEND_BYTES);
  return failed(correlation, stream, status.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', detail);
}

export const accessDenied = (correlation: UUID, stream: StreamIdentifier): BatchAppendResp =>
  failed(correlation, stream, status.PERMISSION_DENIED, 'AccessDenied', new shared.AccessDenied());

export const timedOut = (correlation: UUID, stream: StreamIdentifier): BatchAppendResp =>
  failed(correlation, stream, status.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout());

/** The id as two numbers: the form in responses to unfinished batches. */
export function structured(id: string): UUID {
  const [most, least] = idBits(id);
  const bits = new shared.UUID.Structured();
  bits.setMostSignificantBits(most);
  bits.setLeastSignificantBits(least);
  const correlation = new shared.UUID();
  correlation.setStructured(bits);
  return correlation;
}

/** The response with the append's outcome. */
export function outcome(correlation: UUID, stream: StreamIdentifier, expected: number, written: Written): BatchAppendResp {
  if (written.kind === 'deleted') {
    const detail = new shared.StreamDeleted();
    detail.setStreamIdentifier(stream);
    return failed(correlation, stream, status.NOT_FOUND, 'StreamDeleted', detail);
  }
  if (written.kind === 'wrong')
    return failed(correlation, stream, status.ALREADY_EXISTS, 'WrongExpectedVersion', conflict(expected, written.last));
  const position = new shared.AllStreamPosition();
  position.setCommitPosition(String(written.position));
  position.setPreparePosition(String(written.position));
  const success = new streams.BatchAppendResp.Success();
  if (written.revision === NO_EVENTS) success.setNoStream(new empty.Empty());
  else success.setCurrentRevision(String(written.revision));
  success.setPosition(position);
  const response = answer(correlation, stream);
  response.setSuccess(success);
  return response;
}

function conflict(expected: number, last: number): Detail {
  const detail = new shared.WrongExpectedVersion();
  if (last === NO_EVENTS) detail.setCurrentNoStream(new empty.Empty());
  else detail.setCurrentStreamRevision(String(last));
  if (expected === EXPECT.none) detail.setExpectedNoStream(new empty.Empty());
  else if (expected === EXPECT.any) detail.setExpectedAny(new empty.Empty());
  else if (expected === EXPECT.exists) detail.setExpectedStreamExists(new empty.Empty());
  else detail.setExpectedStreamPosition(String(expected));
  return detail;
}
