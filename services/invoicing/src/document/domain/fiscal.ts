import type * as shown from '@svc/contracts/document/fiscal';

export type FiscalError = Required<shown.FiscalError>;

/** Where a document stands with the tax authority, without what follows from it. */
export interface Fiscal extends Omit<shown.Fiscal, 'deadline_at' | 'next'> {
  error: FiscalError | null;
}

/** Attempts over all rounds, cancellations included. */
export interface Tried {
  attempts: number;
  last_attempt_at: string | null;
}
/** `code_kind`, `warnings`: absent where there is nothing to say, and before 0.2. */
export interface Registration extends Tried, Pick<shown.Fiscal, 'code_kind' | 'warnings'> {
  code: string;
  issuer_code: string | null;
  registered_at: string;
  verification_url: string | null;
  late: boolean;
}
/** Another record has replaced the one that is registered. `warnings`: of that one; absent where there is nothing to say. */
export type Amendment = Tried & Pick<shown.Fiscal, 'warnings'>;
/** Its record is whole, and not sent yet: what is printed of it is known. */
export interface Preparation {
  issuer_code: string | null;
  verification_url: string | null;
}
export interface Rejection extends Tried {
  error: FiscalError;
}
/** It is not registered yet (`pending`), its outcome is not known (`unknown`), or only a person can find it out (`needs_review`). */
export interface Delay extends Tried {
  status: 'pending' | 'unknown' | 'needs_review';
  error: FiscalError | null;
  next_attempt_at: string | null;
}
/** The authority does not annul it. */
export interface VoidRefusal extends Tried {
  error: { code: string; message: string };
  refused_at: string;
  /** Which request it answers, in the order in which they were made: a number that grows, where clocks need not. */
  cancellation: number;
}

/** Handed over for submission; what was tried before still counts. */
export const pending = (authority: string, before?: Fiscal): Fiscal => ({
  authority,
  status: 'pending',
  code: null,
  issuer_code: null,
  registered_at: null,
  verification_url: null,
  late: false,
  attempts: before?.attempts ?? 0,
  last_attempt_at: before?.last_attempt_at ?? null,
  next_attempt_at: null,
  error: null,
});

/** How far a delay has led. */
const STAGES: readonly Fiscal['status'][] = ['pending', 'unknown', 'needs_review'];

/**
 * Whether a delay changes what a person must do: its status leads on, or its error has another code or cure. False for a repeated one, which counts fewer
 * attempts than are known or says the same, and for one after a person was asked.
 */
export function isNews({ status: now, attempts, error: known }: Fiscal, { status, error, ...delay }: Delay): boolean {
  if (now === 'needs_review' || STAGES.indexOf(status) < STAGES.indexOf(now)) return false;
  if (status !== now) return true;
  return error !== null && delay.attempts >= attempts && (known?.code !== error.code || known.fixable !== error.fixable);
}

/** The outcome of its registration is still to come. */
export const isOpen = ({ status }: Fiscal): boolean => status === 'pending' || status === 'unknown' || status === 'needs_review';

/** A person has to or may end it. */
export const isInDoubt = ({ status }: Fiscal): boolean => status === 'unknown' || status === 'needs_review';
