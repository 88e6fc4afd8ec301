import { useEffect, useState } from 'react';

/** A form that was left in this tab is let go within so long. */
const WAIT_MS = 1_000;

/**
 * Whether this tab holds the form of a name: the first tab of the browser that opens it does, until it leaves it. Undefined while that is not known. A browser
 * without locks, as without TLS, says that it does.
 */
export function useHolding(name: string): boolean | undefined {
  const locks = navigator.locks as LockManager | undefined;
  const [isHeld, setHeld] = useState(locks ? undefined : true);
  useEffect(() => {
    const end = new AbortController();
    const left = Promise.withResolvers<void>();
    const held = (): Promise<void> => {
      setHeld(true);
      return left.promise;
    };
    const signal = AbortSignal.any([end.signal, AbortSignal.timeout(WAIT_MS)]);
    locks?.request(`form:${name}`, { signal }, held).catch(() => {
      if (!end.signal.aborted) setHeld(false);
    });
    return () => {
      left.resolve();
      end.abort();
    };
  }, [locks, name]);
  return isHeld;
}
