import { globSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, root, startReceiver, startSystem, type System } from '@svc/testkit';
import { checkedClient } from './testing/checked-client.ts';
import { openRunbooks, textOf, type Runbooks } from './testing/runbooks/runbook.ts';

const OPS_TOKEN = 'a-token-for-operators-at-night-012345';

let runbooks: Runbooks;
let system: System;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let isMended = false;
beforeAll(async () => {
  receiver = await startReceiver(() => (isMended ? 200 : 500));
  system = await startSystem({ WEBHOOKS_ALLOW: receiver.origin, OPS_TOKEN });
  runbooks = openRunbooks(() => system, OPS_TOKEN);
});
afterAll(async () => {
  runbooks?.remove();
  await system?.stop();
  await receiver.close();
});

test('every command of the runbooks that only looks is there in one process', async () => {
  const texts = globSync('*.md', { cwd: join(root, 'docs/runbooks') }).map((name) => textOf(name.replace('.md', '')));
  const all = texts.flatMap((text) =>
    [...text.matchAll(/ -- svc admin ([^\n`|;#]+)/g)].map(([, words = '']) => words.trim().replace(/; done$/, '')),
  );
  const looks = all.filter((words) => /^(metrics|readiness|liveness|\w+ (list|status))/.test(words) && !words.includes('…'));
  // One of each: which metrics a page looks for is checked with the pages.
  const each = new Map(looks.map((words) => [words.replace(/ --match .*/, ''), words]));
  expect(each.size).toBeGreaterThan(6);
  for (const words of each.values()) expect([words, await runbooks.svc(words)]).toEqual([words, expect.stringMatching(/./) as string]);
});

test('NeedsReview: a document that the authority has otherwise is found and resolved by the commands of its page', async () => {
  const call = checkedClient(system.url, system.setup.test_key);
  const { body: customer } = await call<{ id: string }>('POST', '/customers', { body: { name: 'Blue Door Books' } });
  const items = [{ description: 'Consulting', quantity: 1, unit_price: 50, tax_rate: 20 }];
  const { body: invoice } = await call<{ id: string }>('POST', '/invoices', {
    body: { customer_id: customer.id, items, metadata: { simulate: 'duplicate_foreign' } },
  });
  await call('POST', `/invoices/${invoice.id}/submit`);
  const sandbox = { 'list --authority al-cis': 'list --authority sandbox --livemode false' };
  const listed = async () =>
    JSON.parse(await runbooks.run('NeedsReview', 'submissions list', sandbox)) as {
      data: { document_id: string; account: string }[];
      total: number;
    };
  const { data } = await eventually(async () => ((await listed()).total > 0 ? listed() : undefined), 'the document waits for a review');
  expect(data).toEqual([expect.objectContaining({ document_id: invoice.id, account: system.setup.account_id })]);
  await runbooks.run('NeedsReview', 'submissions resolve', { 'inv_…': invoice.id });
  await eventually(
    async () => (await call<{ fiscal_code: string | null }>('GET', `/invoices/${invoice.id}`)).body.fiscal_code === 'CODE',
    'the fiscal code',
  );
  await eventually(async () => (await listed()).total === 0, 'nothing waits');
});

test('WebhooksFailing: an endpoint that fails is found, its delivery is seen and sent again by the commands of its page', async () => {
  const call = checkedClient(system.url, system.setup.test_key);
  const { body: endpoint } = await call<{ id: string }>('POST', '/webhooks', { body: { url: `${receiver.origin}/hook`, events: ['*'] } });
  await call('POST', '/customers', { body: { name: 'Heron' } });
  const run = async <T>(words: string, values = {}): Promise<T> => JSON.parse(await runbooks.run('WebhooksFailing', words, values)) as T;
  const failing = () => run<{ data: { id: string; last_error: string }[] }>('endpoints list');
  const { data: endpoints } = await eventually(
    async () => ((await failing()).data.length > 0 ? failing() : undefined),
    'the endpoint fails',
  );
  expect(endpoints).toEqual([expect.objectContaining({ id: endpoint.id, last_error: 'it answered 500' })]);
  const { data: deliveries } = await run<{ data: { id: string; last_attempt: object }[] }>('deliveries list', { 'we_…': endpoint.id });
  expect(deliveries).toEqual([expect.objectContaining({ last_attempt: expect.objectContaining({ status_code: 500 }) })]);
  isMended = true;
  const resend = { 'we_…': endpoint.id, 'whd_…': deliveries[0]?.id ?? '' };
  expect(await run('deliveries resend', resend)).toMatchObject({ status: 'succeeded' });
  expect(await failing()).toEqual({ data: [], total: 0 });
});
