export { compareAndSet } from './compare-and-set.ts';
export { startDueWork, type Due, type DueWork, type DueWorkOptions } from './due-work.ts';
export { embeddedDocuments } from './embedded/documents.ts';
export { holdLease, type HeldLease, type Lease, type LeaseOptions } from './lease.ts';
export type * from './port.ts';
export { DocumentsUnavailable } from './unavailable.ts';
