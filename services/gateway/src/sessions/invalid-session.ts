import { DomainError } from '@svc/kernel';

export const invalidSession = (): DomainError => new DomainError('invalid_session', 'No session is open here, or it has ended. Sign in.');
