import { changesLive } from './send.ts';

const request = (method: string, path: string, body?: object, livemode = true): Request =>
  new Request(`https://app.example${path}`, {
    method,
    headers: { 'X-Livemode': String(livemode), 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

test.each([
  ['a draft', request('POST', '/console/v1/invoices', {}), true],
  ['a change', request('PATCH', '/console/v1/invoices/inv_1', {}), true],
  ['a removal', request('DELETE', '/console/v1/customers/cus_1'), true],
  ['submissions of several', request('POST', '/console/submissions', { ids: [] }), true],
  ['recovery of a webhook', request('POST', '/console/v1/webhooks/we_1/recover', { dry_run: false }), true],
  ['its dry run', request('POST', '/console/v1/webhooks/we_1/recover', { dry_run: true }), false],
  ['a preview', request('POST', '/console/v1/invoices/preview?explain=true', { items: [] }), false],
  ['a check of the certificate', request('POST', '/console/v1/fiscal-credentials/check', {}), false],
  ['a successor that takes over', request('POST', '/console/v1/fiscal-credentials/activate', {}), true],
  ['a read', request('GET', '/console/v1/invoices'), false],
  ['an unfinished form', request('PUT', '/console/forms/invoice-new', {}), false],
  ['a draft of test', request('POST', '/console/v1/invoices', {}, false), false],
])('%s is asked about, or not', async (_, asked, expected) => {
  expect(await changesLive(asked)).toBe(expected);
});
