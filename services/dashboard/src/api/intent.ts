import { ApiError } from '@svc/client/console';

/** The header of a POST which says that it is the same as the one before it. */
export type Once = Record<'Idempotency-Key', string>;

/**
 * What an open form or question is about to do. Its key stays while it is unknown whether that was done, through the password that is asked for and each press of the
 * button; once the interface has said what became of it, the next press means something new. `sent`: the key of what was sent before, by a page that was left.
 */
export function createIntent(newKey: () => string = () => crypto.randomUUID(), sent?: string) {
  let key = sent ?? newKey();
  let isSent = sent !== undefined;
  return {
    /** The key of what was sent and may have been done; undefined where nothing is unknown. */
    pending: (): string | undefined => (isSent ? key : undefined),
    /** Throws what `write` throws. */
    async carryOut<Result>(write: (once: Once) => Promise<Result>): Promise<Result> {
      const once = { 'Idempotency-Key': key };
      const settle = (): void => {
        key = newKey();
        isSent = false;
      };
      isSent = true;
      try {
        const result = await write(once);
        settle();
        return result;
      } catch (error) {
        if (isSettled(error)) settle();
        throw error;
      }
    },
  };
}

export type Intent = ReturnType<typeof createIntent>;

/** The interface has answered, and what it answers is kept under the key. Who asks, and how often, is judged before it looks for one. */
const isSettled = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![401, 403, 429].includes(error.status) &&
  !['idempotency_key_in_use', 'session_changed'].includes(error.code);
