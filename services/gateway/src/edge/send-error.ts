import { CLOSED_LINK } from '@svc/contracts/document/link';
import { DomainError } from '@svc/kernel';
import { errorPayload } from '@svc/service';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sends an error from a hook, with the headers that are already set on the reply. */
export function sendError(request: FastifyRequest, reply: FastifyReply, requestId: string, error: DomainError): void {
  const { status, contentType, body, retryAfter } = errorPayload(error, requestId, request.headers.accept);
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  reply.code(status).header('content-type', contentType).send(body);
}

export const httpsRequired = (): DomainError =>
  new DomainError('https_required', 'Use https. This key has travelled in the clear: rotate it.');

export const invalidKey = (): DomainError =>
  new DomainError('invalid_api_key', 'Send a valid API key for this host: Authorization: Bearer svc_… or X-API-Key, one key alone.');

export const rateLimited = (retryAfterSeconds: number): DomainError =>
  new DomainError('rate_limit_exceeded', `Too many requests. Try again in ${retryAfterSeconds} s.`, undefined, retryAfterSeconds);

/** For a batch that no window has room for: waiting does not help. */
export const neverAdmitted = (field: string, items: number, most: number): DomainError =>
  new DomainError('validation_error', `The batch has ${items} entries in ${field}, and the limits of the account allow ${most} a minute.`, {
    [field]: [`has at most ${most} entries: so many a minute are allowed. Send the others in batches of their own.`],
  });

export const storageUsedUp = (bytes: number): DomainError =>
  new DomainError(
    'storage_quota_exceeded',
    `The account has used up its storage of ${bytes} bytes. Nothing was stored. Ask for a larger plan, then repeat the request; reads, submissions, voids and payments go on.`,
  );

export const closedLink = (): DomainError => new DomainError('not_found', CLOSED_LINK);

export const unknownPath = (): DomainError => new DomainError('not_found', 'There is nothing at this path. See /docs for what there is.');

export const unknownMethod = (method: string, allow: string): DomainError =>
  new DomainError('method_not_allowed', `${method} is not possible here. Allowed: ${allow}.`);

export const suspended = (): DomainError => new DomainError('account_suspended', 'This account is suspended. Send support to reopen it.');

/** Headers of every response under /v1: it must not be cached, and browsers must not guess its type. */
export const guardHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
