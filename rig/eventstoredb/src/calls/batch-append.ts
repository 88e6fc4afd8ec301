import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { Clock } from '@svc/kernel';
import type { Access } from '../access.ts';
import type { EventLog, ProposedEvent } from '../log/event-log.ts';
import { accessDenied, badRequest, outcome, structured, timedOut, tooBig } from './batch-answer.ts';
import { handlerThrew } from './failure.ts';
import { readable, type Incoming } from './incoming.ts';
import { expectation, idText, MAX_APPEND_BYTES, nameOf, proposed } from './proposed.ts';

/** A batch times out after this, or at its own deadline when that is earlier. */
const WRITE_TIMEOUT_MS = 2_000;

interface Batch {
  correlation: UUID;
  stream: StreamIdentifier;
  expected: number;
  events: ProposedEvent[];
  dataBytes: number;
  /** Milliseconds since 1970. */
  deadline: number;
  stopTimer: () => void;
}

type Call = ServerDuplexStream<Incoming<BatchAppendReq>, BatchAppendResp>;

/** One long-lived call for all appends of a client. Batches may come in chunks and interleave; each gets one response, by its id. */
export function batchAppend(log: EventLog, clock: Clock, access: Pick<Access, 'refusesAppends'>): (call: Call) => void {
  return (call) => {
    const open = new Map<string, Batch>();
    let unanswered = 0;
    let halfClosed = false;

    const settle = (response: BatchAppendResp): void => {
      unanswered -= 1;
      if (call.cancelled || call.writableEnded) return;
      call.write(response);
      if (halfClosed && unanswered === 0) call.end();
    };
    const wait = (id: string, batch: Batch): void => {
      open.set(id, batch);
      batch.stopTimer = clock.after(Math.min(batch.deadline - clock.now(), WRITE_TIMEOUT_MS), () => {
        open.delete(id);
        settle(timedOut(structured(id), batch.stream));
      });
    };

    const take = (incoming: Incoming<BatchAppendReq>): void => {
      const request = readable(incoming);
      if (request === undefined) return void call.emit('error', handlerThrew());
      const correlation = request.getCorrelationId();
      const options = request.getOptions();
      const id = idText(correlation);
      const known = open.get(id);
      // A chunk of an ended or unknown batch is ignored.
      const batch = known ?? (correlation && options && begin(correlation, options, clock.now()));
      if (batch === undefined) return;
      if (known === undefined) unanswered += 1;
      if (batch instanceof streams.BatchAppendResp) return settle(batch);

      const refusal = access.refusesAppends()
        ? accessDenied(batch.correlation, batch.stream)
        : add(batch, request.getProposedMessagesList());
      if (refusal === undefined && !request.getIsFinal()) {
        if (known === undefined) wait(id, batch);
        return;
      }
      open.delete(id);
      batch.stopTimer();
      if (refusal !== undefined) return settle(refusal);
      const { stream, expected, events } = batch;
      log.append(nameOf(stream), expected, events, (written) => settle(outcome(batch.correlation, stream, expected, written)));
    };

    call.on('data', take);
    call.on('end', () => {
      halfClosed = true;
    });
    call.on('cancelled', () => {
      for (const { stopTimer } of open.values()) stopTimer();
      open.clear();
    });
  };
}

/** The batch of a first chunk, or the response that refuses it. */
function begin(correlation: UUID, options: BatchAppendReq.Options, now: number): Batch | BatchAppendResp {
  const stream = options.getStreamIdentifier() ?? new shared.StreamIdentifier();
  const expected = expectation(options, options.hasStreamPosition() ? options.getStreamPosition() : undefined);
  const deadline = options.getDeadline()?.toDate().getTime() ?? now + WRITE_TIMEOUT_MS;
  if (nameOf(stream) === '') return badRequest(correlation, stream, "Value cannot be null. (Parameter 'value')");
  if (expected === undefined) return badRequest(correlation, stream, 'No expected stream position.');
  if (deadline <= now) return timedOut(correlation, stream);
  return { correlation, stream, expected, events: [], dataBytes: 0, deadline, stopTimer: () => undefined };
}

/** Adds a chunk's events to its batch; returns the response that refuses them, if any. */
function add(batch: Batch, messages: BatchAppendReq.ProposedMessage[]): BatchAppendResp | undefined {
  for (const message of messages) {
    const event = proposed(message);
    if (event === undefined) return badRequest(batch.correlation, batch.stream, 'No type or content-type.');
    if (event.id === '') return badRequest(batch.correlation, batch.stream, 'No id.');
    batch.dataBytes += event.data.length;
    if (batch.dataBytes > MAX_APPEND_BYTES) return tooBig(batch.correlation, batch.stream);
    batch.events.push(event);
  }
  return undefined;
}
