import { randomUUID } from 'node:crypto';
import { convertToCommandError, type EventStoreDBClient } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import grpc, { type StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';

/**
 * One long call that carries every append, on the client's channel. The client's own append is not used: it has one table of appends
 * for the process, an answer that is not in it ends the process, and a call without answers stays in use. Here answers are matched within
 * one call; when it breaks, or answers nothing while an append times out, all that wait in it fail, and the next append opens another.
 */
export function createAppendCall(client: EventStoreDBClient) {
  let current: ReturnType<typeof open> | undefined;

  function open() {
    const waiting = new Map<string, { resolve(answer: BatchAppendResp): void; reject(error: Error): void }>();
    const end = (error: Error): void => {
      if (current === self) current = undefined;
      // Appends that a call has carried may have been done: its end leaves their outcome unknown, whatever its code.
      const why = self.answered > 0 ? new Error(`the call broke: ${error.message}`, { cause: error }) : convertToCommandError(error);
      for (const { reject } of waiting.values()) reject(why);
      waiting.clear();
    };
    const take = (answer: BatchAppendResp): void => {
      const id = answer.getCorrelationId()?.getString() ?? '';
      self.answered += 1;
      waiting.get(id)?.resolve(answer);
      waiting.delete(id);
    };
    const [metadata, options] = client['callArguments']({ requiresLeader: true }, { deadline: Infinity });
    const ended = (): void => end(new Error('the server ended the call'));
    const start = (stub: StreamsClient) => stub.batchAppend(metadata, options).on('data', take).on('error', end).on('end', ended);
    const started = client['GRPCStreamCreator'](grpc.StreamsClient, 'append', start)(); // closes the channel when the server is gone
    const use = (work: (call: ReturnType<StreamsClient['batchAppend']>) => unknown): void => void started.then(work).catch(end);
    const giveUp = (why: Error): void => (end(why), use((call) => call.cancel()));
    const self = { waiting, answered: 0, use, giveUp };
    return self;
  }

  return {
    /** The messages of the server. */
    send(request: BatchAppendReq, signal: AbortSignal): Promise<BatchAppendResp> {
      const call = (current ??= open());
      const { answered } = call;
      const id = randomUUID();
      call.use((opened) => opened.write(request.setCorrelationId(new shared.UUID().setString(id))));
      return new Promise((resolve, reject) => {
        call.waiting.set(id, { resolve, reject });
        signal.addEventListener('abort', () => {
          reject(new Error('no answer in time'));
          if (call.waiting.delete(id) && call.answered === answered) call.giveUp(new Error('the call went dumb'));
        });
      });
    },
    close: () => current?.giveUp(new Error('closed')),
  };
}
