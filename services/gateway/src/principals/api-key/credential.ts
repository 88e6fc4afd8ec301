import type { IncomingHttpHeaders } from 'node:http';
import type { Env } from '@svc/kernel';
import { envOfKeyValue, hasKeyForm } from '../../keys/key-format.ts';

/** Configured hosts, in lower case and without port, with the kind of key that they accept. Other hosts accept both kinds. */
export type Hosts = ReadonlyMap<string, 'live' | 'sandbox'>;

/** Why a request has no valid key. All but `unknown` are seen without a look-up, so they say nothing about which keys there are. */
export type KeyProblem = 'missing' | 'scheme' | 'differ' | 'form' | 'checksum' | 'live_host' | 'sandbox_host' | 'unknown';

type Credential = { value: string } | { problem: KeyProblem };

/** The key in `Authorization: Bearer` (in any case) or `X-API-Key`, or the same key in both. */
export function credentialOf({ authorization, 'x-api-key': plain = '' }: IncomingHttpHeaders): Credential {
  if (authorization === undefined) return typeof plain === 'string' && plain !== '' ? { value: plain } : { problem: 'missing' };
  if (!authorization.startsWith('Bearer ') && authorization.slice(0, 7).toLowerCase() !== 'bearer ') return { problem: 'scheme' };
  const bearer = authorization.slice(7).trim();
  return plain === '' || plain === bearer ? { value: bearer } : { problem: 'differ' };
}

/** Why a value is not taken that is the value of no key, or of one that the host does not take. */
export function keyProblemOf(value: string, hosts: Hosts, host: string | undefined): KeyProblem {
  const env = envOfKeyValue(value);
  if (env === undefined) return hasKeyForm(value) ? 'checksum' : 'form';
  if (hostTakes(hosts, host, env)) return 'unknown';
  return env === 'live' ? 'sandbox_host' : 'live_host';
}

/** False when the host accepts only keys of the other environment. */
export function hostTakes(hosts: Hosts, host: string | undefined, env: Env): boolean {
  if (hosts.size === 0 || host === undefined) return true;
  const kind = hosts.get(host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, ''));
  return kind === undefined || (kind === 'live') === (env === 'live');
}
