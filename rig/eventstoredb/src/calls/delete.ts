import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { DeleteReq, DeleteResp, TombstoneReq, TombstoneResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { handleUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import type { Answer, EventLog } from '../log/event-log.ts';
import { handlerThrew, streamDeleted, wrongExpectedVersion } from './failure.ts';
import { readable, type Incoming } from './incoming.ts';
import { expectation, nameOf } from './proposed.ts';

/** Soft delete: hides the events; the stream can be written again. */
export const deleteStream =
  (log: EventLog): handleUnaryCall<Incoming<DeleteReq>, DeleteResp> =>
  ({ request }, answer) =>
    run(
      'Delete',
      readable(request)?.getOptions(),
      (stream, expected, done) => log.softDelete(stream, expected, done),
      answer,
      (position) => {
        const at = new streams.DeleteResp.Position();
        return new streams.DeleteResp().setPosition(at.setCommitPosition(position).setPreparePosition(position));
      },
    );

/** Hard delete: the stream cannot be written again. */
export const tombstoneStream =
  (log: EventLog): handleUnaryCall<Incoming<TombstoneReq>, TombstoneResp> =>
  ({ request }, answer) =>
    run(
      'Tombstone',
      readable(request)?.getOptions(),
      (stream, expected, done) => log.tombstone(stream, expected, done),
      answer,
      (position) => {
        const at = new streams.TombstoneResp.Position();
        return new streams.TombstoneResp().setPosition(at.setCommitPosition(position).setPreparePosition(position));
      },
    );

function run<R>(
  operation: string,
  options: DeleteReq.Options | TombstoneReq.Options | undefined,
  act: (stream: string, expected: number, done: Answer) => void,
  answer: sendUnaryData<R>,
  response: (position: string) => R,
): void {
  const stream = nameOf(options?.getStreamIdentifier());
  const expected = options && expectation(options, options.hasRevision() ? options.getRevision() : undefined);
  if (expected === undefined || stream === '') return answer(handlerThrew());
  act(stream, expected, (written) => {
    if (written.kind === 'deleted') answer(streamDeleted(stream));
    else if (written.kind === 'wrong') answer(wrongExpectedVersion(operation, stream, expected, written.last));
    else answer(null, response(String(written.position)));
  });
}
