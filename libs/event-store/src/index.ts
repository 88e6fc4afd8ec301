export { embeddedEventStore } from './embedded/embedded-event-store.ts';
export { BATCH, type Batch, type EventStore, type HandleBatch, type Stop } from './port.ts';
export { rowOf, type Projection, type Row } from './projection/projection.ts';
export { createProjections, PROJECTIONS, type Projections, type StartableProjections } from './projection/projections.ts';
export { runProjection, type RunningProjection } from './projection/run-projection.ts';
export { encryptedEventStore, type SubjectKeys } from './encryption/encrypted-event-store.ts';
export {
  documentSubjectKeys,
  PersonalDataErased,
  type Secrets,
  type SubjectKey,
  type SubjectKeysOptions,
} from './encryption/subject-keys.ts';
export type { Link } from './sequence/link-window.ts';
export { createSequence, type Claim, type Sequence, type SequenceOptions } from './sequence/sequence.ts';
export { watchCatchingUp } from './subscription/catching-up.ts';
export type { Checkpoint } from './subscription/checkpoint.ts';
export {
  startExclusiveSubscription,
  type ExclusiveSubscriptionOptions,
  type SubscriptionContext,
} from './subscription/exclusive-subscription.ts';
export { measureLag } from './subscription/lag.ts';
export { createReadBarrier, type ReadBarrierOptions } from './subscription/read-barrier.ts';
export { startSubscription, type Subscription, type SubscriptionLog, type SubscriptionOptions } from './subscription/subscription.ts';
