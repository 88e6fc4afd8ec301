/**
 * Awaited between pieces of long work, so that other requests proceed in between. `bytes`: stored size of the next piece. Throws a `DomainError`
 * if the work must stop.
 */
export type Turn = (bytes: number) => Promise<void>;

/** The next turn of the event loop, for work that does not compete with other accounts. */
export const soon: Turn = () => new Promise((resolve) => setImmediate(resolve));

/** Waiting callers by account. The account that was served last is at the end. */
const waiting = new Map<string, (() => void)[]>();

/**
 * Resolves for one caller in each turn of the event loop: accounts in rotation, callers of an account in the order of their calls. So the
 * process works on one piece of long work at a time and handles other requests between two pieces.
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
