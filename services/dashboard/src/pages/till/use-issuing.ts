import { answered, ApiError } from '@svc/client/console';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { Cancelled } from '../../api/prompts.ts';
import { useEnvironment } from '../../api/environment.ts';
import type { Resource } from '../../api/types.ts';
import { useMe } from '../../session/session.ts';
import { isRepeatedByItself, type Pending, pendingStore } from './pending.ts';

const FIRST_MS = 2_000;
const LONGEST_MS = 30_000;
/** How long an answer waits for the authority. */
const WAIT_SECONDS = 10;

/**
 * Where the issuing of a receipt stands. `pending`: it was asked for and is not answered; `isSending`: it is asked for at present. `refused`: the answer is no,
 * nothing was issued.
 */
export interface Issuing {
  pending: Pending | null;
  isSending: boolean;
  error: Error | null;
  refused: ApiError | null;
  /** True when an answer was lost, in this page or before a reload: it may be issued. */
  isLost: boolean;
  receipt: Resource<'Receipt'> | null;
  issue: (body: Resource<'CreateReceipt'>) => void;
  /** Repeats what is pending now. */
  repeat: () => void;
  /** Gives up what is pending, which a person has looked for. */
  forget: () => void;
  /** Leaves the receipt that was issued. */
  next: () => void;
}

/**
 * Whether an answer decides that nothing was issued. What another session, another attempt or a limit refuses can still be issued. Who may not issue has issued
 * nothing by the first request; after a lost answer this says nothing of it.
 */
function isFinal(error: unknown, isLost: boolean): error is ApiError {
  if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return false;
  if (error.status === 403) return !isLost && error.code !== 'session_incomplete';
  return ![401, 408, 409, 429].includes(error.status);
}

/** The pending receipt of this member, in the account and the environment that are shown. */
export function usePendingStore() {
  const env = useEnvironment();
  const { account, user } = useMe();
  return useMemo(() => pendingStore(`${account.id}:${user.id}:${env}`), [account.id, user.id, env]);
}

/** Issues one receipt at a time, and repeats it under its key until it is answered, also after a reload. `issued`: its basket is sold, also where the page was left meanwhile. */
export function useIssuing(issued: () => void): Issuing {
  const { console } = useConsole();
  const store = usePendingStore();
  const [pending, setPending] = useState(() => store.read());
  const [isLost, setLost] = useState(pending !== null);
  // True while only a person has it repeated: they did not agree to what it asks.
  const [isHeld, setHeld] = useState(false);
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const [refused, setRefused] = useState<ApiError | null>(null);
  const [receipt, setReceipt] = useState<Resource<'Receipt'> | null>(null);
  const failures = useRef(0);

  const end = (key: string): void => {
    store.remove(key);
    failures.current = 0;
    setPending(null);
    setError(null);
    setLost(false);
    setHeld(false);
  };
  const send = async ({ key, body }: Pending): Promise<void> => {
    setSending(true);
    try {
      const headers = { 'Idempotency-Key': key, Prefer: `wait=${WAIT_SECONDS}` };
      setReceipt(await answered(console.POST('/console/v1/receipts', { body, headers })));
      issued();
      end(key);
    } catch (failure) {
      failures.current += 1;
      const isRefused = isFinal(failure, isLost);
      if (isRefused) setRefused(failure);
      // What a person did not agree to was never sent.
      if (isRefused || (failure instanceof Cancelled && !isLost)) return end(key);
      setHeld(failure instanceof Cancelled);
      setError(failure as Error);
      setLost(true);
    } finally {
      setSending(false);
    }
  };
  const sendPending = useEffectEvent(send);
  useEffect(() => {
    if (!pending || isSending || isHeld || !isRepeatedByItself(pending)) return undefined;
    const delay = failures.current === 0 ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures.current - 1));
    const timer = setTimeout(() => void sendPending(pending), delay);
    return () => clearTimeout(timer);
  }, [pending, isSending, isHeld]);

  return {
    ...{ pending, isSending, error, refused, isLost, receipt },
    issue(body) {
      const asked: Pending = { key: crypto.randomUUID(), body, at: new Date().toISOString() };
      // Before it is sent: a browser that ends in between repeats it.
      store.write(asked);
      setRefused(null);
      setPending(asked);
    },
    repeat: () => pending && !isSending && void send(pending),
    forget: () => pending && end(pending.key),
    next: () => setReceipt(null),
  };
}
