import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import grpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import timestamp from 'google-protobuf/google/protobuf/timestamp_pb.js';
import type { BatchAppendReq, BatchAppendResp, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { systemClock, type Clock } from '@svc/kernel';
import { startEmulator } from '../server.ts';
import { credentials, type ServiceError, type StatusObject } from '@grpc/grpc-js';

/** The protocol's calls without the client library. */
export const connect = (port: number) => new grpc.StreamsClient(`127.0.0.1:${port}`, credentials.createInsecure());
export type Wire = ReturnType<typeof connect>;

export const streamIdentifier = (name: string) => new shared.StreamIdentifier().setStreamName(Buffer.from(name));

export interface ChunkFields {
  id: string;
  stream?: string;
  events?: { id?: string; type?: string; data?: string }[];
  final?: boolean;
  expected?: 'any' | 'none' | 'unsaid';
  deadline?: Date;
}

/** A BatchAppend request; with options when it names a stream. */
export function chunk({ id, stream, events = [], final = true, expected = 'any', deadline }: ChunkFields): BatchAppendReq {
  const request = new streams.BatchAppendReq().setCorrelationId(new shared.UUID().setString(id)).setIsFinal(final);
  if (stream !== undefined) {
    const options = new streams.BatchAppendReq.Options().setStreamIdentifier(streamIdentifier(stream));
    if (expected === 'any') options.setAny(new empty.Empty());
    if (expected === 'none') options.setNoStream(new empty.Empty());
    if (deadline) options.setDeadline(timestamp.Timestamp.fromDate(deadline));
    request.setOptions(options);
  }
  for (const event of events) {
    const message = new streams.BatchAppendReq.ProposedMessage().setData(Buffer.from(event.data ?? '{}'));
    if (event.id !== '') message.setId(new shared.UUID().setString(event.id ?? crypto.randomUUID()));
    if (event.type !== '') message.getMetadataMap().set('type', event.type ?? 'T');
    message.getMetadataMap().set('content-type', 'application/json');
    request.addProposedMessages(message);
  }
  return request;
}

/** An open BatchAppend call. */
export function batches(wire: Wire) {
  const call = wire.batchAppend();
  const answers: BatchAppendResp[] = [];
  const over = new Promise<StatusObject>((resolve) => call.on('status', resolve));
  call.on('data', (answer: BatchAppendResp) => answers.push(answer));
  call.on('error', () => undefined);
  return { call, answers, over };
}

export const outcomeOf = (answer: BatchAppendResp | undefined): string | undefined =>
  answer?.hasSuccess() ? answer.getSuccess()?.getCurrentRevision() : answer?.getError()?.getMessage();

/** A read: its messages, and its error when it ends. */
export function collect(
  wire: Wire,
  options: InstanceType<typeof streams.ReadReq.Options>,
): { messages: ReadResp[]; over: Promise<ServiceError | undefined>; cancel(): void } {
  const call = wire.read(new streams.ReadReq().setOptions(options));
  const messages: ReadResp[] = [];
  call.on('data', (message: ReadResp) => messages.push(message));
  const over = new Promise<ServiceError | undefined>((resolve) => {
    call.on('error', (error) => resolve(error as ServiceError));
    call.on('end', () => resolve(undefined));
  });
  return { messages, over, cancel: () => call.cancel() };
}

/** Options of an unfiltered read with ids as text. */
export const reading = () =>
  new streams.ReadReq.Options()
    .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()))
    .setNoFilter(new shared.Empty());
export const ofStream = (name: string) =>
  reading().setStream(new streams.ReadReq.Options.StreamOptions().setStreamIdentifier(streamIdentifier(name)).setStart(new shared.Empty()));
export const ofAllFrom = (commit: number, prepare = commit) => {
  const position = new streams.ReadReq.Options.Position().setCommitPosition(String(commit)).setPreparePosition(String(prepare));
  return reading().setAll(new streams.ReadReq.Options.AllOptions().setPosition(position));
};
export const following = <T extends InstanceType<typeof streams.ReadReq.Options>>(options: T) =>
  options.setSubscription(new streams.ReadReq.Options.SubscriptionOptions());

/** An emulator on a file of its own, and a connection to it; `restart` kills it and starts another on the same file. */
export async function openEmulator(clock: Clock = systemClock) {
  const folder = mkdtempSync(join(tmpdir(), 'emulator-'));
  const file = join(folder, 'events.log');
  let emulator = await startEmulator({ file, clock });
  let wire = connect(emulator.port);
  return {
    wire: (): Wire => wire,
    url: (): string => emulator.url,
    stop: (graceMs: number): Promise<void> => emulator.stop(graceMs),
    async restart(): Promise<void> {
      wire.close();
      await emulator.close();
      emulator = await startEmulator({ file, clock });
      wire = connect(emulator.port);
    },
    async close(): Promise<void> {
      wire.close();
      await emulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
