import { client, type Call, type System } from '@svc/testkit';
import { checkedClient, recordingClient, type Seen } from './checked-client.ts';

/** Limits that no test reaches. */
export const HUGE = { plan: 1_000_000, burst: 100_000, submit: 100_000, receipts: 100_000, reports: 100_000 };

export interface Account {
  id: string;
  testKey: string;
  liveKey: string;
  /** Clients with its test key and its live key. */
  test: Call;
  live: Call;
}

export const admin = (system: System): Call => client(`${system.ops}/admin`, system.setup.admin_token);

/** Opens an account with huge limits, except the given ones. With `onAnswer` its clients report responses to it, else they check them. */
export async function openAccount(
  system: System,
  name: string,
  { onAnswer, limits }: { onAnswer?: (seen: Seen) => void; limits?: Partial<typeof HUGE> & { storage?: number } } = {},
): Promise<Account> {
  const { status, body, text } = await admin(system)<{ id: string; test_key: string; live_key: string }>('POST', '/accounts', {
    body: { name, plan: 'enterprise', limits: { ...HUGE, ...limits } },
  });
  if (status !== 201) throw new Error(`POST /admin/accounts answered ${status} ${text}`);
  const clientOf = (key: string): Call => (onAnswer ? recordingClient(system.url, key, onAnswer) : checkedClient(system.url, key));
  return {
    id: body.id,
    testKey: body.test_key,
    liveKey: body.live_key,
    test: clientOf(body.test_key),
    live: clientOf(body.live_key),
  };
}

/** Makes another key of the account; returns its id and value. */
export async function openKey(
  system: System,
  account: Account,
  more: { permissions?: string[]; livemode?: boolean } = {},
): Promise<{ id: string; key: string }> {
  const { status, body, text } = await admin(system)<{ id: string; key: string }>('POST', `/accounts/${account.id}/keys`, {
    body: { name: 'Another', livemode: false, permissions: ['*'], ...more },
  });
  if (status !== 201) throw new Error(`POST /admin/accounts/{id}/keys answered ${status} ${text}`);
  return body;
}

/** The routes of the published document, e.g. `GET /invoices/{id}`. */
export async function servedRoutes(system: System): Promise<string[]> {
  const { body } = await client(system.url)<{ paths: Record<string, Record<string, unknown>> }>('GET', '/openapi.json');
  return Object.entries(body.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
}
