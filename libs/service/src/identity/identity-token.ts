import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Actor, Clock } from '@svc/kernel';
import type { Identity } from './identity.ts';
import { keysFor, type InternalKey, type InternalKeys } from './internal-keys.ts';

/**
 * The claims of the caller's identity, which the gateway sends to a service: a JWT (RFC 7519) with HS256, for one service and 45 seconds. Signed
 * and verified by one HMAC each: libraries use WebCrypto, whose promises cost more than the rest of the edge.
 */
interface Claims {
  iss: string;
  /** The service that the token is for. */
  aud: string;
  /** Seconds since 1970. */
  exp: number;
  acct: string;
  env: string;
  perms: readonly string[];
  /** false: sees no personal data. */
  pd?: false;
  actor: Actor;
  /** Request id. */
  rid: string;
  /** Command id. */
  cmd: string;
}

const ISSUER = 'gateway';
/** Longer than the gateway waits for an answer (connect 1.5 s, answer 35 s), by the allowed difference of clocks and more: what waits in a busy service's queue is read in time, or nobody waits for it. */
const LIFE_S = 45;
/** Allowed difference between the clocks of two machines. */
const SKEW_S = 5;
/** A token with a longer life is invalid. until 0.3: 0.1.0 takes 60. */
const LONGEST_LIFE_S = 75;
/** More than the longest token of the gateway: 100 permissions of 40 characters. */
const LONGEST = 8 * 1024;

/** `{"alg":"HS256","kid":"…"}`: the only header of a key's tokens, by which the key is found. So no token chooses its algorithm. Keys of one name share it. */
const headOf = ({ kid }: InternalKey): string => Buffer.from(JSON.stringify({ alg: 'HS256', kid })).toString('base64url');

const mac = (key: KeyObject, text: string): string => createHmac('sha256', key).update(text).digest('base64url');

/** Signs the caller's identity for the service `audience`, with the first of its keys. The trace is not part of it. */
export function createIdentitySigner(keys: InternalKeys, clock: Pick<Clock, 'now'>): (identity: Identity, audience: string) => string {
  const signing = new Map<string, { key: KeyObject; head: string }>();
  const signingFor = (audience: string): { key: KeyObject; head: string } => {
    const known = signing.get(audience);
    if (known) return known;
    const [newest] = keysFor(keys, audience);
    const made = { key: newest.key, head: headOf(newest) };
    signing.set(audience, made);
    return made;
  };
  return ({ account, env, permissions, personalData, actor, requestId, commandId }, audience) => {
    const { key, head } = signingFor(audience);
    const claims: Claims = {
      iss: ISSUER,
      aud: audience,
      exp: Math.floor(clock.now() / 1000) + LIFE_S,
      ...{ acct: account, env, perms: permissions, actor, rid: requestId, cmd: commandId },
      ...(personalData === false && { pd: false as const }),
    };
    const text = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    return `${text}.${mac(key, text)}`;
  };
}

/** What a token says. `untimely`: it is the gateway's, and ended `lateS` seconds ago; negative: it ends too far ahead, so the clocks differ. */
export type TokenRead =
  { kind: 'valid'; identity: Identity } | { kind: 'untimely'; identity: Identity; lateS: number } | { kind: 'invalid' };

const INVALID: TokenRead = { kind: 'invalid' };

/** Reads the identity in a token for `audience`. Whatever is wrong with a token that the gateway has not signed for it, it is invalid. */
export function createIdentityReader(keys: InternalKeys, audience: string, clock: Pick<Clock, 'now'>): (token: string) => TokenRead {
  const byHead = Map.groupBy(keysFor(keys, audience), headOf);
  return (token) => {
    if (token.length > LONGEST) return INVALID;
    const [bodyAt, macAt] = [token.indexOf('.'), token.lastIndexOf('.')];
    const named = byHead.get(token.slice(0, bodyAt));
    if (named === undefined || bodyAt === macAt) return INVALID;
    const [signed, given] = [token.slice(0, macAt), token.slice(macAt + 1)];
    if (!named.some(({ key }) => isSame(given, mac(key, signed)))) return INVALID;
    const claims = claimsIn(token.slice(bodyAt + 1, macAt));
    const identity = claims.iss === ISSUER && claims.aud === audience ? identityOf(claims) : undefined;
    if (identity === undefined || typeof claims.exp !== 'number') return INVALID;
    const left = claims.exp - clock.now() / 1000;
    return left > -SKEW_S && left <= LONGEST_LIFE_S ? { kind: 'valid', identity } : { kind: 'untimely', identity, lateS: -left };
  };
}

/** Compares in constant time. */
function isSame(given: string, made: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(made)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The claims of a token whose signature is valid; {} if it is not JSON. */
function claimsIn(body: string): Partial<Claims> {
  try {
    return (JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) ?? {}) as Partial<Claims>;
  } catch {
    return {};
  }
}

function identityOf({ acct, env, perms, pd, actor, rid, cmd }: Partial<Claims>): Identity | undefined {
  if (env !== 'live' && env !== 'test') return undefined;
  if (!acct || !Array.isArray(perms) || !actor?.type || !actor.id || !rid || !cmd) return undefined;
  const identity: Identity = { account: acct, env, livemode: env === 'live', permissions: perms, actor, requestId: rid, commandId: cmd };
  return pd === false ? { ...identity, personalData: false } : identity;
}
