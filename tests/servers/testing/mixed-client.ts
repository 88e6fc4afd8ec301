import { client, type Answer, type Call, type CallOptions } from '@svc/testkit';
import { withRetries, type Invoice } from '../../e2e/testing/retrying-client.ts';

/** Of so many requests one is sent twice at once. */
const TWICE = 3;
/** Of so many earlier requests one is repeated. */
const REPEATED = 5;

/** A status below 500 ends repetition. */
const UNANSWERED = 'the time of the phase was over before it was answered';

interface Asked {
  path: string;
  body: unknown;
  key: string;
  id: string;
}

export interface MixedClient {
  /** Takes the gateways of a phase, and a key that each of them has renewed. After `over` no command is sent any more. */
  use(origins: readonly string[], over: AbortSignal): Promise<void>;
  /** The same requests to each gateway, with each valid key. */
  calls(): readonly Call[];
  /** Sends a command under its key until it is answered, some at once to two gateways. Throws when their answers differ. */
  send(n: number, path: string, body: unknown, key: string): Promise<Invoice>;
  /** Repeats some earlier commands under their keys. Throws when an answer is about another resource. */
  repeat(): Promise<void>;
  /** Answers that were errors of the system, with how often they came. */
  errors(): string[];
}

/** A client that goes on through all phases of an upgrade. */
export function mixedClient(firstKey: string): MixedClient {
  let keys = [firstKey];
  let calls: Call[] = [];
  const asked: Asked[] = [];
  const errors = new Map<string, number>();
  const note = (what: string): void => void errors.set(what, (errors.get(what) ?? 0) + 1);

  const guarded = (call: Call, over: AbortSignal): Call =>
    async function guardedCall<T>(method: string, path: string, options?: CallOptions): Promise<Answer<T>> {
      if (over.aborted && method !== 'GET') return { status: 410, headers: new Headers(), body: undefined as T, text: UNANSWERED };
      const what = `${method} ${path.replaceAll(/_[0-9a-z]{26}/g, '_…')}`;
      const answer = await call<T>(method, path, options).catch((error: Error) => {
        note(`${what}: ${error.message}`);
        throw error;
      });
      if (answer.status >= 500) note(`${what} answered ${answer.status}: ${answer.text.replaceAll(/req_\w+/g, 'req_…').slice(0, 300)}`);
      return answer;
    };
  /** All calls, each time beginning with another. */
  const from = (n: number): Call[] => [...calls.slice(n % calls.length), ...calls.slice(0, n % calls.length)];

  return {
    async use(origins, over) {
      errors.clear();
      for (const origin of origins) {
        const path = '/api-keys/rotate';
        const { status, body, text } = await client(`${origin}/v1`, keys.at(-1))<{ key: string }>('POST', path);
        if (status >= 300) throw new Error(`POST ${path} answered ${status}: ${text}`);
        keys = [keys.at(-1) as string, body.key];
      }
      calls = keys.flatMap((key) => origins.map((origin) => guarded(client(`${origin}/v1`, key), over)));
    },
    calls: () => calls,
    async send(n, path, body, key) {
      const firsts = n % TWICE === 0 ? [n, n + 1] : [n];
      const answers = await Promise.all(firsts.map((first) => withRetries(from(first), path, body, key)));
      const [one] = answers as [Invoice];
      const other = answers.find(({ id, number }) => id !== one.id || number !== one.number);
      if (other) throw new Error(`${path} under one key was answered ${one.id} ${one.number} and ${other.id} ${other.number}`);
      asked.push({ path, body, key, id: one.id });
      return one;
    },
    async repeat() {
      for (const [n, { path, body, key, id }] of asked.entries()) {
        if (n % REPEATED !== 0) continue;
        const again = await withRetries(from(n), path, body, key);
        if (again.id !== id) throw new Error(`${path} was answered ${id}, and repeated under the same key ${again.id}`);
      }
    },
    errors: () => [...errors].map(([what, times]) => `${what} (${times} times)`),
  };
}
