import { notFound } from '@svc/kernel';
import { createKey } from '../keys/create-key.ts';
import { code } from '../testing/call.ts';
import { ProxySystem } from '../testing/proxy-system.ts';
import { httpAnswer } from '../testing/raw-upstream.ts';

let system: ProxySystem;
beforeEach(() => void (system = new ProxySystem()));
afterEach(() => system.stop());

const id = `inv_${'0'.repeat(26)}`;
const body = { outcome: 'registered', code: 'X1', note: 'Asked them.' };
const absent = httpAnswer('404 Not Found', '{"error":{"code":"not_found","message":"This document was never submitted."}}');

/** A gateway whose fiscal-submission gives `answer`, and whose invoicing has `invoice`; null: it has none. */
async function resolving(answer: string, invoice: object | null) {
  let reads = 0;
  const run = async (): Promise<object> => {
    reads += 1;
    if (invoice === null) throw notFound('invoice');
    return invoice;
  };
  const invoicing = await system.stub({ commands: [], run });
  const submission = await system.raw((socket) => socket.write(answer));
  const gateway = await system.gateway([invoicing.origin], { unreached: 1_500 }, [submission.origin]);
  return { ...gateway, invoicing, reads: () => reads, submission };
}

test('a document that was never submitted is refused by its status, also to a key that may not read documents', async () => {
  const { account, gateway, caller } = await resolving(absent, { status: 'draft', available_actions: ['update', 'submit'] });
  const { id: owner } = await account();
  const wanted = { account: owner, env: 'test' as const, name: 'till', permissions: ['invoices:submit' as const], expiresAt: null };
  const { value } = await createKey(gateway.accounts, wanted, { actor: { type: 'system', id: 'test' } });
  const refused = await caller(value)('POST', `/v1/invoices/${id}/resolve`, { body });
  expect([code(refused), refused.body.error?.message]).toEqual([
    '422 invalid_state',
    'Resolution is not possible while the status is draft. available_actions: update, submit.',
  ]);
});

const invalidState = httpAnswer('422 Unprocessable Content', '{"error":{"code":"invalid_state","message":"from its submission"}}');

test('one whose voiding has not arrived there is refused by its own status', async () => {
  const { account } = await resolving(invalidState, { status: 'voiding', available_actions: [] });
  const { call } = await account();
  const refused = await call('POST', `/v1/invoices/${id}/resolve`, { body });
  expect([code(refused), refused.body.error?.message]).toEqual([
    '422 invalid_state',
    'Resolution is not possible while the status is voiding. available_actions: none.',
  ]);
});

test('the refusal stands where the document still says that it is in doubt, or is not there', async () => {
  for (const invoice of [{ status: 'submitting', available_actions: ['resolve'] }, null]) {
    const { account } = await resolving(invalidState, invoice);
    const { call } = await account();
    expect((await call('POST', `/v1/invoices/${id}/resolve`, { body })).body.error?.message).toBe('from its submission');
  }
});

test('one that does not exist is 404, and what is no id of such a document is not asked for', async () => {
  const { account, reads } = await resolving(absent, null);
  const { call } = await account();
  const missing = await call('POST', `/v1/invoices/${id}/resolve`, { body });
  expect([code(missing), missing.body.error?.message, reads()]).toEqual(['404 not_found', expect.stringContaining('no such invoice'), 1]);
  for (const path of ['/v1/invoices/nonsense/resolve', `/v1/receipts/${id}/resolve`, '/v1/invoices/..%2fcustomers/resolve'])
    expect(code(await call('POST', path, { body }))).toBe('404 not_found');
  expect(reads()).toBe(1);
});

test('every other answer of fiscal-submission stands, and invoicing is not asked', async () => {
  const done = JSON.stringify({ object: 'submission', document_id: id, status: 'registered' });
  for (const answer of [
    httpAnswer('200 OK', done),
    httpAnswer('422 Unprocessable Content', '{"error":{"code":"validation_error","message":"x"}}'),
  ]) {
    const { account, reads } = await resolving(answer, { status: 'draft', available_actions: [] });
    const { call } = await account();
    const { text } = await call('POST', `/v1/invoices/${id}/resolve`, { body });
    expect([answer.endsWith(text), reads()]).toEqual([true, 0]);
  }
});

test('is 503 while invoicing cannot be reached, and attempts of what was never submitted are 404', async () => {
  const { account, invoicing } = await resolving(absent, null);
  const { call } = await account();
  await invoicing.kill();
  expect(code(await call('GET', `/v1/invoices/${id}/attempts`))).toBe('404 not_found');
  expect(code(await call('POST', `/v1/invoices/${id}/resolve`, { body }))).toBe('503 service_unavailable');
});
