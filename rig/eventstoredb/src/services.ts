import featuresGrpc from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { status, type Server } from '@grpc/grpc-js';
import type { Clock } from '@svc/kernel';
import type { Access } from './access.ts';
import { append } from './calls/append.ts';
import { batchAppend } from './calls/batch-append.ts';
import { deleteStream, tombstoneStream } from './calls/delete.ts';
import { lenient } from './calls/incoming.ts';
import { read } from './calls/read.ts';
import { supportedMethods } from './calls/server-features.ts';
import type { EventLog } from './log/event-log.ts';

const { PERMISSION_DENIED, UNAUTHENTICATED } = status;

/** A method whose handler also receives undecodable requests. */
const method = <Request, M extends { requestDeserialize: (bytes: Buffer) => Request }>(definition: M) => ({
  ...definition,
  requestDeserialize: lenient<Request>(definition.requestDeserialize),
});
/** The responses are already encoded. */
const encoded = { responseSerialize: (message: Buffer): Buffer => message };

/** Registers the implemented methods. All others respond as unimplemented. */
export function addServices(server: Server, log: EventLog, clock: Clock, access: Access): void {
  const { StreamsService: stream } = streamsGrpc;
  const { ServerFeaturesService: feature } = featuresGrpc;
  const streams = {
    read: { ...method(stream.read), ...encoded },
    append: method(stream.append),
    delete: method(stream.delete),
    tombstone: method(stream.tombstone),
    batchAppend: method(stream.batchAppend),
  };
  const features = { getSupportedMethods: method(feature.getSupportedMethods) };
  server.addService(streams, {
    read: access.guarded(read(log), [PERMISSION_DENIED, UNAUTHENTICATED]),
    append: append(log),
    delete: deleteStream(log),
    tombstone: tombstoneStream(log),
    batchAppend: access.guarded(batchAppend(log, clock, access), [UNAUTHENTICATED]),
  });
  const paths = [streams, features].flatMap((service) => Object.values<{ path: string }>(service).map(({ path }) => path));
  server.addService(features, { getSupportedMethods: supportedMethods(paths) });
}
