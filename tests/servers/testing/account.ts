import { client, type Processes } from '@svc/testkit';
import type { HUGE } from '../../e2e/testing/accounts.ts';

/** An account of the enterprise plan with these limits. */
export async function openAccountOf(
  system: Processes,
  name: string,
  limits: Partial<typeof HUGE>,
): Promise<{ id: string; test_key: string }> {
  const admin = client(`${system.ops}/admin`, system.adminToken);
  const { status, body, text } = await admin<{ id: string; test_key: string }>('POST', '/accounts', {
    body: { name, plan: 'enterprise', limits },
  });
  if (status !== 201) throw new Error(`POST /admin/accounts answered ${status} ${text}`);
  return body;
}
