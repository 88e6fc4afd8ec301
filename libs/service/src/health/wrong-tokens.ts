import { callerNetwork } from '../addresses/caller-network.ts';

const MOST_WRONG = 10;
const WINDOW_MS = 60_000;

/**
 * Ten in a minute for each address. A minute begins with its first wrong token. `monotonic`: milliseconds since any moment, from a clock that cannot
 * be set. Keeps at most `capacity` addresses; beyond it the one whose minute began first is counted anew.
 */
export function createWrongTokens(monotonic: () => number, capacity = 10_000) {
  const windows = new Map<string, { began: number; wrong: number }>();
  const current = (network: string): { began: number; wrong: number } | undefined => {
    const window = windows.get(network);
    if (window === undefined || monotonic() < window.began + WINDOW_MS) return window;
    windows.delete(network);
    return undefined;
  };
  return {
    /** Seconds until the address may send a token again, right or wrong; undefined: it may. */
    waitOf(address: string): number | undefined {
      const window = current(callerNetwork(address));
      if (window === undefined || window.wrong < MOST_WRONG) return undefined;
      return Math.max(1, Math.ceil((window.began + WINDOW_MS - monotonic()) / 1_000));
    },
    count(address: string): void {
      const network = callerNetwork(address);
      const window = current(network);
      if (window !== undefined) {
        window.wrong += 1;
        return;
      }
      if (windows.size >= capacity) windows.delete(windows.keys().next().value as string);
      windows.set(network, { began: monotonic(), wrong: 1 });
    },
  };
}

export type WrongTokens = ReturnType<typeof createWrongTokens>;
