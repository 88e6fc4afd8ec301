import type { Collection } from '@svc/document-store';
import { type Clock, iso } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { KeyUse } from './api-key.ts';

const MINUTE_MS = 60_000;
const WRITE_AFTER_MS = 1_000;

/** Who is known to have been used in which minute; one write for all of them, soon. */
export interface LastUsed {
  /** Cheap: does something once per key and minute alone. */
  note(caller: { key: string; usedMinute: number }, now: number): void;
  /** Writes what is noted. */
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
    // Lost when this fails: the next minute tells it again.
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
