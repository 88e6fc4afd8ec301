import type { Collection } from '@svc/document-store';
import { type Clock, iso } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { KeyUse } from '../../keys/api-key.ts';
import type { KeyPrincipal } from './key-principal.ts';

const MINUTE_MS = 60_000;
/** The last uses of keys are written in batches. */
const WRITE_AFTER_MS = 1_000;

/** Records when keys were last used, to the minute. */
export interface Uses {
  /** Records the minute of a use. Does nothing after the first use of a key in a minute. */
  noteUse(principal: Pick<KeyPrincipal, 'actor' | 'usedMinute'>, address: string): void;
  /** Writes the recorded uses. */
  writeUses(): Promise<void>;
}

export function recordUses(uses: Collection<KeyUse>, clock: Clock, logger: Logger): Uses {
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
