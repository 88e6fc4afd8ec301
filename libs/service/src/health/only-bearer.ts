import { createHash, timingSafeEqual } from 'node:crypto';
import { dayIn, DomainError, systemClock, type Clock } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';
import type { OperatorToken } from './operator-tokens.ts';
import type { WrongTokens } from './wrong-tokens.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Of the operators' port: all its routes count together. */
    wrongTokens: WrongTokens;
  }
  interface FastifyRequest {
    /** Who sent it: the name of the operator's token. undefined: the token has no name. */
    operator: string | undefined;
  }
}

interface Accepted {
  name: string | undefined;
  digest: Buffer;
  until: string | undefined;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * A hook of the operators' port that requires the bearer token of this setting, or one of `named`, which also sets `request.operator`. All are compared, in
 * constant time. An address that sent ten wrong ones within a minute gets 429 until the minute ends, whatever it sends. Rejects every request if the
 * setting is absent.
 */
export function onlyBearer(
  setting: string,
  token: string | undefined,
  named: readonly OperatorToken[] = [],
  clock: Pick<Clock, 'now'> = systemClock,
): (request: FastifyRequest) => Promise<void> {
  if (token === undefined) {
    return async () => {
      throw new DomainError(
        'insufficient_permissions',
        `This is not served: ${setting} is not set. Set it to a text of at least 32 characters, and restart the process.`,
      );
    };
  }
  const accepted: Accepted[] = [
    ...named.map(({ name, token: own, until }) => ({ name, digest: digest(own), until })),
    { name: undefined, digest: digest(token), until: undefined },
  ];
  return async (request) => {
    const { wrongTokens } = request.server;
    const address = request.socket.remoteAddress ?? '';
    const presented = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (presented === undefined) throw unknownToken(setting);
    const wait = wrongTokens.waitOf(address);
    if (wait !== undefined) throw tooManyWrong(wait);
    const given = digest(presented);
    const [match] = accepted.filter(({ digest }) => timingSafeEqual(given, digest));
    if (match === undefined || isExpired(match, clock.now())) {
      wrongTokens.count(address);
      throw match === undefined ? unknownToken(setting) : expiredToken(match);
    }
    request.operator = match.name;
  };
}

const unknownToken = (setting: string): DomainError =>
  new DomainError('invalid_api_key', `Send the operators’ token: Authorization: Bearer <${setting}>.`);

const isExpired = ({ until }: Accepted, now: number): boolean => until !== undefined && until < dayIn('UTC', now);

const expiredToken = ({ name, until }: Accepted): DomainError =>
  new DomainError('invalid_api_key', `The token of ${name} was valid until ${until}. Ask for another.`);

const tooManyWrong = (seconds: number): DomainError =>
  new DomainError('rate_limit_exceeded', 'Too many wrong tokens came from this address. Wait before you send one.', undefined, seconds);
