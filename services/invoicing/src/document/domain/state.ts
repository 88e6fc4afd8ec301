/** One number for ever. */
export interface Issue {
  number: string;
  seq: number;
  issued_at: string;
}

/** A request to void, and its outcome. */
export interface VoidRequest {
  /** null: a draft was voided without one. */
  reason: string | null;
  requested_at: string;
  voided_at: string | null;
  /** Why the authority refused, and which request. */
  refused: { code: string; message: string; cancellation: number } | null;
}
