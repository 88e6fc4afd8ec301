import { createHash, timingSafeEqual } from 'node:crypto';
import { DomainError } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A hook that requires the bearer token of this setting, compared in constant time. Rejects every request if the setting is absent. */
export function onlyBearer(setting: string, token: string | undefined): (request: FastifyRequest) => Promise<void> {
  if (token === undefined) {
    return async () => {
      throw new DomainError('insufficient_permissions', `This is not served: ${setting} is not set, a text of at least 32 characters.`);
    };
  }
  const wanted = digest(token);
  return async ({ headers }) => {
    const presented = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    if (!timingSafeEqual(digest(presented), wanted)) {
      throw new DomainError('invalid_api_key', `Send the operators’ token: Authorization: Bearer <${setting}>.`);
    }
  };
}
