import type { Random } from '@svc/testkit/simulation/index';
import type { Answer, SimulatedSystem } from './system.ts';

const ATTEMPTS = 500;
const RETRY_MS = 1_000;

/** Repeats a request until it has a final response: any but one that asks to repeat it. */
export type Ask = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  options?: { key?: string; body?: unknown; wait?: number },
) => Promise<Answer>;

export interface Connection {
  system: SimulatedSystem;
  apiKey: string;
  random: Random;
  chance: () => number;
  name: string;
}

export function retryingClient({ system, apiKey, random, chance, name }: Connection): Ask {
  const { clock, journal } = system;
  return async (method, path, { key, body, wait } = {}) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(wait === undefined ? {} : { prefer: `wait=${wait}` }),
    };
    const once = (): Promise<Answer> => system.request(method, path, headers, body);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      if (random.chance(chance())) {
        await clock.sleep(RETRY_MS);
        continue;
      }
      if (key !== undefined && random.chance(chance())) void once().catch(() => undefined); // The network duplicates it.
      const answer = await once().catch(() => undefined);
      const error = (answer?.body['error'] as { code?: string } | undefined)?.code ?? '';
      journal.note(name, `${method} ${path} ${key ?? ''} ${answer ? `${answer.status} ${error}${summary(answer)}` : 'was not answered'}`);
      const isInUse = error === 'idempotency_key_in_use'; // For a minute, when its first request died with the process.
      const isFinal = answer !== undefined && answer.status < 500 && answer.status !== 429 && !isInUse;
      if (isFinal && !random.chance(chance())) return answer;
      await clock.sleep(isInUse ? random.between(1_000, 8_000) : random.between(50, 1_000));
    }
    throw new Error(`${method} ${path} was never answered`);
  };
}

const summary = ({ body: { id, status, number, version } }: Answer): string => [id, status, number, version].filter(Boolean).join(' ');
