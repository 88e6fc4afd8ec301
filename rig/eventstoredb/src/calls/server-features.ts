import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { handleUnaryCall } from '@grpc/grpc-js';
import type { Incoming } from './incoming.ts';

/** The version that the facts were recorded from. */
const SERVER_VERSION = '23.10.7';

/** The optional features of each method. */
const FEATURES: Record<string, string[]> = {
  'event_store.client.streams.streams/read': ['position', 'events'],
  'event_store.client.streams.streams/batchappend': ['deadline_duration'],
};

/** Lists the implemented methods; a client asks once per channel. */
export function supportedMethods(paths: string[]): handleUnaryCall<Incoming<Empty>, SupportedMethods> {
  const answer = new features.SupportedMethods();
  answer.setEventStoreServerVersion(SERVER_VERSION);
  for (const path of paths) {
    const [, service = '', method = ''] = path.toLowerCase().split('/');
    const supported = new features.SupportedMethod().setServiceName(service).setMethodName(method);
    supported.setFeaturesList(FEATURES[`${service}/${method}`] ?? []);
    answer.addMethods(supported);
  }
  return (_call, done) => done(null, answer);
}
