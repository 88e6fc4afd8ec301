import { type Clock, iso } from '@svc/kernel';
import type { Logger } from '@svc/service';
import { limitsOf } from '../../accounts/plans.ts';
import type { KeysContext } from '../../keys/context.ts';
import { goodUntil, type KeyUse } from '../../keys/api-key.ts';
import { addressesOf } from '../../keys/address-ranges.ts';
import { envOfKeyValue } from '../../keys/key-format.ts';
import { createLookUps } from '../look-ups.ts';
import type { KeyPrincipal } from './key-principal.ts';
import type { Collection } from '@svc/document-store';

/** Finds the principal of a key's value, and records when keys were last used. Results are cached for 5 s, also for unknown values. */
export interface KeyRecognizer extends Uses {
  /** Synchronous when cached. null: the value is not valid. Rejects with service_unavailable when the database fails and the cache is too old. */
  recognize(value: string): KeyPrincipal | null | Promise<KeyPrincipal | null>;
  forget(): void;
}

type Context = Pick<KeysContext, 'store' | 'peppers'>;

export function createKeyRecognizer(context: Context, { clock, logger }: { clock: Clock; logger: Logger }): KeyRecognizer {
  const lookUps = createLookUps<KeyPrincipal | null>({
    async lookUp(value, now) {
      const principal = await lookUp(context, value, now);
      if (principal) principal.usedMinute = lookUps.known(value)?.usedMinute ?? -1;
      return principal;
    },
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
    forget: () => lookUps.forget(),
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
  noteUse(principal: Pick<KeyPrincipal, 'actor' | 'usedMinute'>, address: string): void;
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
      noted.set(principal.actor.id, { version: minute, ip: address });
      cancel ??= clock.after(WRITE_AFTER_MS, () => void writeUses());
    },
    writeUses,
  };
}
