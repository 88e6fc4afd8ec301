import type { Actor } from '@svc/kernel';

/** Who did something, as it is kept for ever: by id alone, so that an erasure reaches the name. The address is for the audit, which ends. */
export const storedActor = ({ type, id, via }: Actor): Actor => ({ type, id, ...(via && { via }) });
