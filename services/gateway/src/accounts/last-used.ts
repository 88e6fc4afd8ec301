import type { Collection } from '@svc/document-store';
import { type Clock, iso } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { KeyUse } from './api-key.ts';

const MINUTE_MS = 60_000;
const WRITE_AFTER_MS = 1_000;

/** Records the minute of the last use of each key, written in batches. */
export interface LastUsed {
  /** Records a use. Does nothing after the first use of a key in a minute. */
  note(caller: { key: string; usedMinute: number }, now: number): void;
  /** Writes the recorded uses. */
  flush(): Promise<void>;
}

export function createLastUsed({ uses, clock, logger }: { uses: Collection<KeyUse>; clock: Clock; logger: Logger }): LastUsed {
  const noted = new Map<string, number>();
  let cancel: (() => void) | undefined;
  const flush = async (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    const puts = [...noted].map(([_id, version]) => ({ put: { _id, version, at: iso(version * MINUTE_MS) } }));
    noted.clear();
    // A failed write loses these minutes. The next use writes again.
    if (puts.length > 0) await uses.write(puts).catch((error: unknown) => logger.warn({ err: error }, 'last use of keys not written'));
  };
  return {
    note(caller, now) {
      const minute = Math.floor(now / MINUTE_MS);
      if (caller.usedMinute === minute) return;
      caller.usedMinute = minute;
      noted.set(caller.key, minute);
      cancel ??= clock.after(WRITE_AFTER_MS, () => void flush());
    },
    flush,
  };
}
