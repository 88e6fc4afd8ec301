import type { RequestResource } from '@svc/contracts/request/resource';
import type { Collection, DocumentStore, Job } from '@svc/document-store';

/** A request with a valid key or session that was refused or failed. `_id` is its id, which sorts by time. Never its body, nor values of its query. */
export interface RefusedRequest extends Job {
  /** Environment and account. */
  scope: string;
  at: string;
  method: string;
  /** Without its query. */
  path: string;
  /** `POST /v1/invoices/{id}`, or `unknown`. */
  route: string;
  status: number;
  code: string;
  message: string;
  fields: string[];
  key_id: string | null;
  member_id: string | null;
  duration_ms: number;
  ip: string;
  idempotency_key: string | null;
  /** When it is removed, in milliseconds since 1970. */
  due_at: number;
}

const filters = ['status', 'method', 'path', 'key_id', 'code'];

export const refusedRequests = (documents: DocumentStore): Collection<RefusedRequest> =>
  documents.collection('refused_requests', {
    indexes: [{ fields: ['due_at'] }, { fields: ['scope', '_id'] }, ...filters.map((field) => ({ fields: ['scope', field, '_id'] }))],
  });

export function requestResource({ _id, version: _, scope: _1, route: _2, due_at: _3, ...row }: RefusedRequest): RequestResource {
  return { id: _id, ...row };
}
