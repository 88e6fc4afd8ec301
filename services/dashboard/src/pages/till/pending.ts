import type { Resource } from '../../api/types.ts';

/** A receipt that was asked for, and whose answer is not known. It is repeated under its key until it is. */
export interface Pending {
  key: string;
  body: Resource<'CreateReceipt'>;
  /** When it was asked for first. */
  at: string;
}

/** How long the interface keeps the answer under a key is a day: after that a repetition would be a second receipt. */
const REPEATED_MS = 23 * 3_600_000;

export const isTooOld = ({ at }: Pending, now = Date.now()): boolean => now - Date.parse(at) > REPEATED_MS;

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Where the pending receipt of a member in an account and an environment is kept: in this tab, also over a reload. */
export function pendingStore(name: string, store: Store = sessionStorage) {
  const key = `receipt:${name}`;
  return {
    read(): Pending | null {
      const text = store.getItem(key);
      return text === null ? null : (JSON.parse(text) as Pending);
    },
    write: (pending: Pending): void => store.setItem(key, JSON.stringify(pending)),
    remove: (): void => store.removeItem(key),
  };
}
