export { embeddedEventStore } from './embedded/embedded-event-store.ts';
export { copyEvents } from './embedded/copy-events.ts';
export { countedStore } from './observed-store.ts';
export { type EventStore } from './port.ts';
export { rowOf, type Projection, type Row } from './projection/projection.ts';
export { createProjections, PROJECTIONS, type Projections, type StartableProjections } from './projection/projections.ts';
export { runProjection, type RunningProjection } from './projection/run-projection.ts';
export { encryptedEventStore, type EncryptedEventStore } from './encryption/encrypted-event-store.ts';
export { documentSubjectKeys, SUBJECT_KEYS, PersonalDataErased, type Secrets, type SubjectKey } from './encryption/subject-keys.ts';
export { createSequence, type Sequence } from './sequence/sequence.ts';
export type { Matches } from './projection/matches.ts';
export { watchCatchingUp } from './subscription/lag.ts';
export type { Checkpoint } from './subscription/checkpoint.ts';
export {
  startExclusiveSubscription,
  startExclusiveSubscriptions,
  type ExclusiveSubscriptions,
  type SubscriptionContext,
} from './subscription/exclusive-subscription.ts';
export { measureLag } from './subscription/lag.ts';
export { checkpointsWithin } from './subscription/within-store.ts';
export { startSubscription, type Subscription } from './subscription/subscription.ts';
