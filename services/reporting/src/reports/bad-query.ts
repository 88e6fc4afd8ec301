import { DomainError } from '@svc/kernel';

/** The error for a query parameter: why it is invalid and what to send instead. */
export const badQuery = (parameter: string, message: string): DomainError =>
  new DomainError('invalid_request', `This query parameter is not valid: ${parameter}. See details.`, { [parameter]: [message] });
