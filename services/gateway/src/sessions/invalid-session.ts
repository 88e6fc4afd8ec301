import { DomainError } from '@svc/kernel';

export const invalidSession = (): DomainError =>
  new DomainError('invalid_session', 'Nobody is signed in here, or the session has ended. Sign in.');
