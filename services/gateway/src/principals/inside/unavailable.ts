import { DomainError } from '@svc/kernel';

/** For an answer that a service does not give, or that too many wait for. */
export const unavailable = (): DomainError =>
  new DomainError('service_unavailable', 'A part of this cannot be read at the moment. Try again.', undefined, 1);
