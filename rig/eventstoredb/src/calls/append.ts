import streams from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { sendUnaryData, ServerReadableStream } from '@grpc/grpc-js';
import type { EventLog, ProposedEvent, Written } from '../log/event-log.ts';
import { EXPECT, NO_EVENTS } from '../log/append-decision.ts';
import { appendTooBig, handlerThrew, metadataPropertyMissing, streamDeleted, type Failure } from './failure.ts';
import { readable, type Incoming } from './incoming.ts';
import { expectation, MAX_APPEND_BYTES, nameOf, proposed } from './proposed.ts';

/** 2^64 - 1, as near as the generated code can represent it. */
const NO_STREAM_BEFORE_20_6 = 2 ** 64 - 2_048;

type Call = ServerReadableStream<Incoming<AppendReq>, AppendResp>;

/** One append per call: a message with options, then one per event. A client uses it when it sends credentials. */
export function append(log: EventLog): (call: Call, answer: sendUnaryData<AppendResp>) => void {
  return (call, answer) => {
    let stream = '';
    let expected: number | undefined;
    const events: ProposedEvent[] = [];
    let dataBytes = 0;
    let failure: Failure | undefined;

    call.on('data', (incoming: Incoming<AppendReq>) => {
      const request = readable(incoming);
      const options = request?.getOptions();
      const message = request?.getProposedMessage();
      if (options) {
        stream = nameOf(options.getStreamIdentifier());
        expected = expectation(options, options.hasRevision() ? options.getRevision() : undefined);
      } else if (message) {
        const event = proposed(message);
        if (event === undefined) failure ??= metadataPropertyMissing();
        else if ((dataBytes += event.data.length) > MAX_APPEND_BYTES) failure ??= appendTooBig(MAX_APPEND_BYTES);
        else events.push(event);
      } else failure ??= handlerThrew();
    });
    call.on('end', () => {
      if (call.cancelled) return;
      if (expected === undefined || stream === '') failure ??= handlerThrew();
      if (failure !== undefined || expected === undefined) return answer(failure ?? handlerThrew());
      const expectedRevision = expected;
      log.append(stream, expectedRevision, events, (written) => {
        if (written.kind === 'deleted') answer(streamDeleted(stream));
        else answer(null, response(expectedRevision, written));
      });
    });
  };
}

function response(expected: number, written: Exclude<Written, { kind: 'deleted' }>): AppendResp {
  const result = new streams.AppendResp();
  if (written.kind === 'wrong') return result.setWrongExpectedVersion(conflict(expected, written.last));
  const position = new streams.AppendResp.Position();
  position.setCommitPosition(String(written.position));
  position.setPreparePosition(String(written.position));
  const success = new streams.AppendResp.Success();
  if (written.revision === NO_EVENTS) success.setNoStream(new shared.Empty());
  else success.setCurrentRevision(String(written.revision));
  success.setPosition(position);
  return result.setSuccess(success);
}

/** Fills the fields of both protocol generations. */
function conflict(expected: number, last: number): AppendResp.WrongExpectedVersion {
  const detail = new streams.AppendResp.WrongExpectedVersion();
  if (last === NO_EVENTS) detail.setCurrentNoStream(new shared.Empty()).setNoStream2060(new shared.Empty());
  else detail.setCurrentRevision(String(last)).setCurrentRevision2060(last);
  if (expected >= 0) return detail.setExpectedRevision(String(expected)).setExpectedRevision2060(expected);
  if (expected === EXPECT.any) return detail.setExpectedAny(new shared.Empty()).setAny2060(new shared.Empty());
  if (expected === EXPECT.exists) return detail.setExpectedStreamExists(new shared.Empty()).setStreamExists2060(new shared.Empty());
  return detail.setExpectedNoStream(new shared.Empty()).setExpectedRevision2060(NO_STREAM_BEFORE_20_6);
}
