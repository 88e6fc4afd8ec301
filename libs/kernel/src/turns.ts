/** Awaited between the pieces of long work, with the stored bytes of what is worked on next: others go on meanwhile. Throws a refusal where it may not go on. */
export type Turn = (bytes: number) => Promise<void>;

/** Of work that waits for no account: the next turn of the event loop. */
export const soon: Turn = () => new Promise((resolve) => setImmediate(resolve));

/** Who waits, by account; the account that was served last comes last. */
const waiting = new Map<string, (() => void)[]>();

/**
 * Resolves for one caller in each turn of the event loop, for accounts in rotation and in an account in the order in which they asked:
 * pieces of long work are made one at a time in the whole process, and between two of them everything else goes on.
 */
export const nextTurn = (account: string): Promise<void> =>
  new Promise((resolve) => {
    const own = waiting.get(account);
    if (own) return void own.push(resolve);
    waiting.set(account, [resolve]);
    if (waiting.size === 1) setImmediate(serveOne);
  });

function serveOne(): void {
  for (const [account, own] of waiting) {
    waiting.delete(account);
    own.shift()?.();
    if (own.length > 0) waiting.set(account, own);
    break;
  }
  if (waiting.size > 0) setImmediate(serveOne);
}
