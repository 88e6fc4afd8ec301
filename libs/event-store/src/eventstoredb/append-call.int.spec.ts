import { EventStoreDBClient } from '@eventstore/db-client';
import grpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import { systemClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { createAppendCall } from './append-call.ts';

type Call = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

/** What a server may do to the one call that carries all appends. */
describe('the append call', () => {
  let server: Server;
  /** Every call that was opened, with its requests. */
  let calls: { call: Call; requests: BatchAppendReq[] }[];
  let answer: (call: Call, request: BatchAppendReq) => void;
  let appends: ReturnType<typeof createAppendCall>;

  beforeEach(async () => {
    [calls, answer] = [[], success];
    server = new Server();
    server.addService(
      { batchAppend: grpc.StreamsService.batchAppend },
      {
        batchAppend(call: Call) {
          const opened = { call, requests: [] as BatchAppendReq[] };
          calls.push(opened);
          call.on('error', () => undefined);
          call.on('data', (request: BatchAppendReq) => {
            opened.requests.push(request);
            answer(call, request);
          });
        },
      },
    );
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound))),
    );
    appends = createAppendCall(EventStoreDBClient.connectionString(`esdb://127.0.0.1:${port}?tls=false`));
  });
  afterEach(() => {
    appends.close();
    server.forceShutdown();
  });

  const success = (call: Call, request: BatchAppendReq): void => {
    const said = new streams.BatchAppendResp().setCorrelationId(request.getCorrelationId());
    call.write(said.setSuccess(new streams.BatchAppendResp.Success().setCurrentRevision('0')));
  };
  const silence = (): void => undefined;

  const send = (withinMs = 10_000, given = new AbortController()) => {
    const cancel = systemClock.after(withinMs, () => given.abort());
    return appends.send(new streams.BatchAppendReq().setIsFinal(true), given.signal).finally(cancel);
  };

  test('one call carries all appends, and each gets its own answer, in any order', async () => {
    const held: (() => void)[] = [];
    answer = (call, request) => void held.push(() => success(call, request));
    const sent = Array.from({ length: 3 }, () => send());
    await until(() => held.length >= 3);
    for (const release of held.reverse()) release();
    const answers = await Promise.all(sent);
    expect(answers.map((said) => said.getCorrelationId()?.getString())).toEqual(
      calls[0]?.requests.map((request) => request.getCorrelationId()?.getString()),
    );
    expect(calls).toHaveLength(1);
  });

  test('answers without a request, and repeated answers, do no harm', async () => {
    answer = (call, request) => {
      success(call, new streams.BatchAppendReq());
      success(call, request);
      success(call, request);
    };
    await send();
    await send();
    expect(calls).toHaveLength(1);
  });

  test('a call that answers no append is ended with all that wait in it, and the next append opens another', async () => {
    await send();
    answer = silence;
    const [first, second] = [send(300), send(10_000)];
    await expect(first).rejects.toThrow('no answer in time');
    await expect(second).rejects.toThrow('went dumb');
    answer = success;
    await send();
    expect(calls).toHaveLength(2);
  });

  test('one append that times out does not end a call that answers others', async () => {
    let isFirst = true;
    answer = (call, request) => {
      if (!isFirst) success(call, request);
      isFirst = false;
    };
    const given = new AbortController();
    const lost = send(10_000, given);
    await send();
    given.abort();
    await expect(lost).rejects.toThrow('no answer in time');
    await send();
    expect(calls).toHaveLength(1);
  });

  test.each([
    ['breaks off', (call: Call) => call.emit('error', Object.assign(new Error('gone'), { code: 13 })), { code: 13 }],
    ['is ended by the server', (call: Call) => call.end(), { message: 'the server ended the call' }],
  ])('a call that %s fails all appends that wait in it, and the next append opens another', async (_, end, error) => {
    answer = (call) => void end(call);
    await expect(send()).rejects.toMatchObject(error);
    answer = success;
    await send();
    expect(calls).toHaveLength(2);
  });
});
