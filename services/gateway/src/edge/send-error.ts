import { CLOSED_LINK } from '@svc/contracts/document/link';
import { DomainError, type FieldProblem } from '@svc/kernel';
import { errorPayload } from '@svc/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Standing } from '../limiter/port.ts';
import { KEYS_ARE_MADE } from '../principals/api-key/resolve-key.ts';

/** Sends an error from a hook, with the headers that are already set on the reply. */
export function sendError(request: FastifyRequest, reply: FastifyReply, requestId: string, error: DomainError): void {
  const { status, contentType, body, retryAfter } = errorPayload(error, requestId, request.headers.accept, request.server.publicUrl);
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  reply.code(status).header('content-type', contentType).send(body);
}

export const httpsRequired = (): DomainError =>
  new DomainError('https_required', 'Use https. This key has travelled in the clear: rotate it.');

/** A limit without capacity for a request. `perMinute` of a bucket: its refill. */
export interface ExceededLimit {
  name: Standing['name'];
  size: number;
  perMinute: number;
}

/** `limits`: at least one. */
export function rateLimited(limits: readonly ExceededLimit[], retryAfterSeconds: number): DomainError {
  const words = limits.map(limitWords).join('; ');
  return new DomainError(
    'rate_limit_exceeded',
    `Too many requests: ${words}. Try again in ${retryAfterSeconds} s.`,
    limits.map(({ name, size, perMinute }): FieldProblem => ({
      field: 'limit',
      message: name,
      rule: 'rate_limit',
      params: { limit: name, max: size, seconds: Math.ceil((60 * size) / perMinute) },
    })),
    retryAfterSeconds,
  );
}

function limitWords({ name, size, perMinute }: ExceededLimit): string {
  if (name === 'ip' || name === 'sign_in') return `${name}: ${size} a minute for your address`;
  if (name === 'member') return `member: ${size} a minute for you, all sessions together`;
  const often = name === 'burst' ? `${size} at once and ${perMinute} a minute` : `${size} a minute`;
  return `${name}: ${often} for the account, all keys together`;
}

/** For a batch that exceeds every window: waiting does not help. */
export const neverAdmitted = (field: string, items: number, most: number): DomainError =>
  new DomainError('validation_error', `The batch has ${items} entries in ${field}, and the limits of the account allow ${most} a minute.`, [
    {
      field,
      rule: 'max_items',
      params: { max: most },
      message: `has at most ${most} entries: so many a minute are allowed. Send the others in batches of their own.`,
    },
  ]);

export const storageUsedUp = (bytes: number): DomainError =>
  new DomainError(
    'storage_quota_exceeded',
    `The account has used up its storage of ${bytes} bytes. Nothing was stored. Ask for a larger plan, then repeat the request; reads, submissions, voids and payments go on.`,
  );

export const closedLink = (): DomainError => new DomainError('not_found', CLOSED_LINK);

/** `meant`: the path that may be meant. */
export const unknownPath = (meant: string | undefined): DomainError =>
  new DomainError('not_found', `There is nothing at this path. ${meant ? `Did you mean ${meant}?` : 'See /docs for what there is.'}`);

export const unknownMethod = (method: string, allow: string, path: string): DomainError => {
  const makesKey = method === 'POST' && path === '/api-keys';
  return new DomainError('method_not_allowed', `${method} is not possible here. Allowed: ${allow}.${makesKey ? ` ${KEYS_ARE_MADE}` : ''}`);
};

export const suspended = (): DomainError => new DomainError('account_suspended', 'This account is suspended. Send support to reopen it.');

/** Headers of every response under /v1: it must not be cached, and browsers must not guess its type. */
export const guardHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
