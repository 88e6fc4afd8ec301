import type { Resource } from '../../api/types.ts';

/** A receipt that was asked for, and whose answer is not known. It is repeated under its key until it is. */
export interface Pending {
  key: string;
  body: Resource<'CreateReceipt'>;
  /** When it was asked for first. */
  at: string;
}

/** How long the interface keeps the answer under a key is a day: after that a repetition would be a second receipt. */
const REPEATABLE_MS = 23 * 3_600_000;
/** For so long it is repeated without a press: later the customer is gone, and what was meant is for a person to say. */
const BY_ITSELF_MS = 10 * 60_000;

const age = ({ at }: Pending, now: number): number => now - Date.parse(at);
export const isTooOld = (pending: Pending, now = Date.now()): boolean => age(pending, now) > REPEATABLE_MS;
export const isRepeatedByItself = (pending: Pending, now = Date.now()): boolean => age(pending, now) <= BY_ITSELF_MS;

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Where the pending receipt of a member in an account and an environment is kept: in this tab, also over a reload. */
export function pendingStore(name: string, store: Store = sessionStorage) {
  const item = `receipt:${name}`;
  const read = (): Pending | null => {
    const text = store.getItem(item);
    return text === null ? null : (JSON.parse(text) as Pending);
  };
  return {
    read,
    write: (pending: Pending): void => store.setItem(item, JSON.stringify(pending)),
    /** Removes the one of this key. One that a later page has asked for stays. */
    remove(key: string): void {
      if (read()?.key === key) store.removeItem(item);
    },
  };
}
