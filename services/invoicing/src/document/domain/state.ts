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

/** The authority has been, or will be, asked to annul it. */
export interface Voiding {
  status: 'voiding';
  void: VoidRequest;
  /** The earlier request (`cancellation`) that the authority refused: a repeated refusal of it does not answer this one. */
  refused_before: number | null;
}

export interface Voided {
  status: 'voided';
  void: VoidRequest;
}
