import { eventually, type System } from '@svc/testkit';
import { admin, openAccount, openKey } from './accounts.ts';
import { recordingClient, type Seen } from './checked-client.ts';
import { item } from './api-fixture.ts';

/** Error codes that a healthy system does not return. */
export const FAULT_CODES = ['internal_error', 'outcome_unknown', 'service_unavailable'];

/** Provokes every kind of error response once. The system must run with REQUIRE_HTTPS=true. */
export async function provokeErrors(system: System, onAnswer: (seen: Seen) => void): Promise<void> {
  const account = await openAccount(system, 'Refused', { onAnswer });
  const call = account.test;
  const { body: customer } = await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } });
  const draft = (simulate: string) =>
    call<{ id: string }>('POST', '/invoices', { body: { customer_id: customer.id, items: [item], metadata: { simulate } } });
  const [{ body: invoice }, { body: undecided }] = [await draft('accept'), await draft('accept')];

  await call('GET', '/account', { headers: { 'x-forwarded-proto': 'http' } }); // https_required
  await call('GET', '/invoices', { query: { page: 0 } }); // invalid_request
  await call('POST', '/customers', { raw: '{"name":' });
  await call('POST', '/customers', { body: { name: 'X' }, headers: { 'idempotency-key': 'with space' } });
  await recordingClient(system.url, undefined, onAnswer)('GET', '/account'); // invalid_api_key
  await recordingClient(system.url, 'svc_test_nonsense', onAnswer)('GET', '/account');
  await call('GET', '/account', { headers: { 'x-api-key': account.liveKey } });
  const narrow = recordingClient(system.url, (await openKey(system, account, { permissions: ['customers:read'] })).key, onAnswer);
  await narrow('POST', '/customers', { body: { name: 'X' } }); // insufficient_permissions
  await call('GET', '/nowhere'); // not_found
  await call('GET', '/invoices/inv_nobody');
  await call('PUT', '/invoices'); // method_not_allowed
  await call('POST', '/customers', { raw: JSON.stringify({ name: 'x'.repeat(300_000) }) }); // payload_too_large
  await call('POST', '/customers', { raw: 'name=X', headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  await call('PATCH', `/invoices/${invoice.id}`, { body: { notes: 'x' }, headers: { 'if-match': '"7"' } }); // version_conflict
  await call('POST', '/customers', { body: {} }); // validation_error
  await call('POST', '/customers', { body: {}, headers: { accept: 'application/problem+json' } });
  const registered = { outcome: 'registered', code: 'X1', note: 'Asked them.' };
  for (const path of [`/invoices/${undecided.id}`, `/invoices/inv_${'0'.repeat(26)}`, `/receipts/${undecided.id}`])
    await call('POST', `${path}/resolve`, { body: registered }); // invalid_state, not_found
  await call('POST', `/invoices/${invoice.id}/void`, {});
  await call('POST', `/invoices/${invoice.id}/submit`); // invalid_state

  const key = { 'idempotency-key': 'twice' };
  await call('POST', '/customers', { body: { name: 'One' }, headers: key });
  await call('POST', '/customers', { body: { name: 'One' }, headers: key }); // replayed
  await call('POST', '/customers', { body: { name: 'Two' }, headers: key }); // idempotency_key_reused
  const { body: slow } = await draft('slow:3000');
  const busy = { headers: { 'idempotency-key': 'busy', prefer: 'wait=20' } };
  await Promise.all([1, 2].map(() => call('POST', `/invoices/${slow.id}/submit`, busy))); // idempotency_key_in_use for one of them

  const poor = await openAccount(system, 'Poor', { onAnswer, limits: { plan: 1 } });
  await poor.test('GET', '/account');
  await poor.test('GET', '/account'); // rate_limit_exceeded
  const bad = await openAccount(system, 'Suspended', { onAnswer });
  await admin(system)('PATCH', `/accounts/${bad.id}`, { body: { suspended: true } });
  await eventually(async () => (await bad.test('GET', '/account')).status === 403, 'the suspension'); // account_suspended
}
