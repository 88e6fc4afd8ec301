import type { RouteName } from '@svc/contracts/routes';
import { permissionError, type Logger } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { isAmong, addressesOf } from '../../keys/address-ranges.ts';
import type { Resolver } from '../resolver.ts';
import type { KeyPrincipal } from './key-principal.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { type Env, DomainError, type Clock, iso } from '@svc/kernel';
import { type Changes, createLookUps } from '../look-ups.ts';
import { envOfKeyValue, hasKeyForm } from '../../keys/key-format.ts';
import { limitsOf } from '../../accounts/plans.ts';
import type { KeysContext } from '../../keys/context.ts';
import { goodUntil, type KeyUse } from '../../keys/api-key.ts';
import type { Collection } from '@svc/document-store';

interface KeyResolverOptions {
  keys: KeyRecognizer;
  hosts: Hosts;
  addressOf(request: FastifyRequest): string;
}

/** The principal of the API key in `Authorization: Bearer` or `X-API-Key`. `hosts`: those that take one kind of key alone. A key from an address that it does not allow is unknown. */
export function keyResolver({ keys, hosts, addressOf }: KeyResolverOptions): Resolver {
  const taken = (request: FastifyRequest, principal: KeyPrincipal | null): KeyPrincipal | null => {
    if (principal === null || !hostTakes(hosts, request.headers.host, principal.env)) return null;
    if (principal.allows && !isAmong(principal.allows, addressOf(request))) return null;
    keys.noteUse(principal, () => addressOf(request));
    return principal;
  };
  return {
    resolve(request) {
      const credential = credentialOf(request.headers);
      const found = 'value' in credential ? keys.recognize(credential.value) : null;
      return found instanceof Promise ? found.then((principal) => taken(request, principal)) : taken(request, found);
    },
    refusal({ headers }) {
      const credential = credentialOf(headers);
      const problem = 'value' in credential ? keyProblemOf(credential.value, hosts, headers.host) : credential.problem;
      return { error: invalidKey(problem), challenge: 'Bearer' };
    },
    forbids: (_request, { permissions }, { name }) => permissionError(name as RouteName, permissions),
  };
}

/** Configured hosts, in lower case and without port, with the kind of key that they accept. Other hosts accept both kinds. */
export type Hosts = ReadonlyMap<string, 'live' | 'sandbox'>;

/** Why a request has no valid key. All but `unknown` are seen without a look-up, so they say nothing about which keys there are. */
type KeyProblem = 'missing' | 'scheme' | 'differ' | 'form' | 'checksum' | 'live_host' | 'sandbox_host' | 'unknown';

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
function hostTakes(hosts: Hosts, host: string | undefined, env: Env): boolean {
  if (hosts.size === 0 || host === undefined) return true;
  const kind = hosts.get(host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, ''));
  return kind === undefined || (kind === 'live') === (env === 'live');
}

/** Where keys come from: no route of the interface makes them. */
export const KEYS_ARE_MADE = `Keys are made in the dashboard (Settings, API Keys). Where it is not served, the operator makes them: svc admin keys create, or POST /admin/accounts/{id}/keys on the operators' port.`;

const keyWords: Record<KeyProblem, string> = {
  missing: `No API key was sent. Send one: Authorization: Bearer svc_test_… (or svc_live_…), or X-API-Key. ${KEYS_ARE_MADE}`,
  scheme: 'Authorization has no bearer token. Send Authorization: Bearer and the key, or the key as X-API-Key without Authorization.',
  differ: 'Two keys were sent that differ, one in Authorization and one in X-API-Key. Send one of them.',
  form: 'This is no API key: a key begins with svc_test_ or svc_live_ and has 38 letters and digits after it. Send it whole, without quotes.',
  checksum: 'This API key has a typing error: its last six characters, a checksum of the others, do not fit. Copy it again, whole.',
  live_host: 'This is a test key, and this host takes live keys alone. Use the host of the sandbox, or a key that begins with svc_live_.',
  sandbox_host: 'This is a live key, and this host takes test keys alone. Use the host for live keys, or a key that begins with svc_test_.',
  unknown: 'This API key is not valid: it is unknown here, was revoked or has expired. Use another one.',
};

export const invalidKey = (problem: KeyProblem): DomainError => new DomainError('invalid_api_key', keyWords[problem]);

/** Finds the principal of a key's value, and records when keys were last used. Results are cached for 5 s, also for unknown values. */
export interface KeyRecognizer extends Uses {
  /** Synchronous when cached. null: the value is not valid. Rejects with service_unavailable when the database fails and the cache is too old. */
  recognize(value: string): KeyPrincipal | null | Promise<KeyPrincipal | null>;
}

type Context = Pick<KeysContext, 'store' | 'peppers'>;

export function createKeyRecognizer(
  context: Context,
  { clock, logger, changes }: { clock: Clock; logger: Logger; changes: Changes },
): KeyRecognizer {
  const lookUps = createLookUps<KeyPrincipal | null>({
    async lookUp(value, now) {
      const principal = await lookUp(context, value, now);
      if (principal) principal.usedMinute = lookUps.known(value)?.usedMinute ?? -1;
      return principal;
    },
    ...{ changes, idsOf: (_: string, principal: KeyPrincipal | null) => (principal ? [principal.actor.id, principal.account] : []) },
    ...{ clock, logger, failure: 'keys cannot be looked up' },
    unavailable: 'Your key cannot be checked at the moment. Nothing was done; try again.',
  });
  const ifGood = (principal: KeyPrincipal | null): KeyPrincipal | null =>
    principal !== null && principal.goodUntil > clock.now() ? principal : null;

  return {
    recognize(value) {
      if (lookUps.known(value) === undefined && envOfKeyValue(value) === undefined) return null;
      const found = lookUps.find(value);
      return found instanceof Promise ? found.then(ifGood) : ifGood(found);
    },
    ...recordUses(context.store.uses, clock, logger),
  };
}

async function lookUp({ store, peppers }: Context, value: string, now: number): Promise<KeyPrincipal | null> {
  const hashes = peppers.hashes(value);
  for (const field of ['current', 'previous'] as const) {
    for await (const key of store.keys.find({ [field]: { $in: hashes } }, { limit: 1 })) {
      const credentialHash = key[field] ?? '';
      const until = goodUntil(key, credentialHash, now);
      const account = until === undefined ? undefined : await store.accounts.get(key.account);
      if (until === undefined || account === undefined) return null;
      return {
        ...{ account: key.account, env: key.env, permissions: key.permissions, scope: `${key.env}.${key.account}` },
        ...{ suspended: account.suspended, limits: limitsOf(account.plan, account.limits), goodUntil: until, credentialHash },
        ...{ personalData: key.personal_data !== false, ownLimits: null, session: null, allows: addressesOf(key.allowed_ips) },
        ...{ actor: { type: 'api_key', id: key._id }, usedMinute: -1, costs: new Map() },
      };
    }
  }
  return null;
}

const MINUTE_MS = 60_000;
/** The last uses of keys are written in batches. */
const WRITE_AFTER_MS = 1_000;

/** Records when keys were last used, to the minute. */
interface Uses {
  /** Records the minute of a use. Does nothing after the first use of a key in a minute. */
  noteUse(principal: Pick<KeyPrincipal, 'actor' | 'usedMinute'>, address: () => string): void;
  /** Writes the recorded uses. */
  writeUses(): Promise<void>;
}

function recordUses(uses: Collection<KeyUse>, clock: Clock, logger: Logger): Uses {
  const noted = new Map<string, Pick<KeyUse, 'version' | 'ip'>>();
  let cancel: (() => void) | undefined;
  const writeUses = async (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    const puts = [...noted].map(([_id, { version, ip }]) => ({ put: { _id, version, ip, at: iso(version * MINUTE_MS) } }));
    noted.clear();
    // A failed write loses these minutes. The next use writes again.
    if (puts.length > 0) await uses.write(puts).catch((error: unknown) => logger.warn({ err: error }, 'last use of keys not written'));
  };
  return {
    noteUse(principal, address) {
      const minute = Math.floor(clock.now() / MINUTE_MS);
      if (principal.usedMinute === minute) return;
      principal.usedMinute = minute;
      noted.set(principal.actor.id, { version: minute, ip: address() });
      cancel ??= clock.after(WRITE_AFTER_MS, () => void writeUses());
    },
    writeUses,
  };
}
