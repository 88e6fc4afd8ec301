import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A hook that lets only those in who present the token; how long it takes says nothing of it. */
export function onlyBearer(token: string): (request: FastifyRequest) => Promise<void> {
  const wanted = digest(token);
  return async ({ headers }) => {
    const presented = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    if (!timingSafeEqual(digest(presented), wanted)) {
      throw new Refusal('invalid_api_key', 'Send the operators’ token: Authorization: Bearer <ADMIN_TOKEN>.');
    }
  };
}
