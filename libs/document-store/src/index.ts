export { compareAndSet } from './compare-and-set.ts';
export { startJobs, type Job, type JobQueue, type JobQueueOptions } from './jobs.ts';
export { embeddedDocumentStore } from './embedded/document-store.ts';
export { holdLease, type HeldLease, type Lease, type LeaseOptions } from './lease.ts';
export type * from './port.ts';
export { DocumentStoreUnavailable } from './unavailable.ts';
