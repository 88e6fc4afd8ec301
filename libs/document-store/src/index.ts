export { compareAndSet } from './compare-and-set.ts';
export { changeEach } from './change-each.ts';
export { heldBy, releaseHeld, startJobs, type Job, type JobQueue } from './jobs.ts';
export { copyCollection } from './embedded/copy-collection.ts';
export { embeddedDocumentStore } from './embedded/document-store.ts';
export { EARLY_MS, holdLease, type Lease, TERM_MS } from './lease.ts';
export { createRetention, type Retention, type RunningRetention } from './retention.ts';
export type * from './port.ts';
export { UniqueViolation } from './unique-violation.ts';
