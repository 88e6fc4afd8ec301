import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually, root, startReceiver, startSystem, type System } from '@svc/testkit';
import { checkedClient } from './testing/checked-client.ts';

const OPS_TOKEN = 'a-token-for-operators-at-night-012345';
const folder = join(root, 'docs/runbooks');
const textOf = (page: string): string => readFileSync(join(folder, `${page}.md`), 'utf8');
const run = promisify(execFile);

let system: System;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let isMended = false;
beforeAll(async () => {
  receiver = await startReceiver(() => (isMended ? 200 : 500));
  system = await startSystem({ WEBHOOKS_ALLOW: receiver.origin, OPS_TOKEN });
});
afterAll(async () => {
  await system?.stop();
  await receiver.close();
});

/** Runs `svc admin` in the one-process form, as the page of all forms has it. Rejects with what it prints where it fails. */
async function svc(words: string): Promise<string> {
  const env = { ...process.env, OPS_PORT: new URL(system.ops).port, OPS_TOKEN, DATA_DIR: join(system.dataDir, 'data') };
  const args = [join(root, 'services/standalone/dist/bundle/svc.mjs'), 'admin', ...words.split(' ')];
  return (await run(process.execPath, args, { env })).stdout;
}

/** A command of a page, by its first words, with these values in place of those of the page. */
function commandOf(page: string, start: string, values: Record<string, string> = {}): string {
  const [, words = ''] = new RegExp(`svc admin (${start}[^\\n\`']*(?:'[^']*')?)`).exec(textOf(page)) ?? [];
  const given = words.replaceAll(/'([^']*)'/g, (_, text: string) => text.replaceAll(' ', '_'));
  return Object.entries(values).reduce(
    (text, [option, value]) => text.replace(new RegExp(`--${option} \\S+`), `--${option} ${value}`),
    given,
  );
}

test('every command of the runbooks that only looks is there in one process', async () => {
  const texts = globSync('*.md', { cwd: folder }).map((name) => readFileSync(join(folder, name), 'utf8'));
  const all = texts.flatMap((text) =>
    [...text.matchAll(/ -- svc admin ([^\n`|;#]+)/g)].map(([, words = '']) => words.trim().replace(/; done$/, '')),
  );
  const looks = all.filter((words) => /^(metrics|readiness|liveness|\w+ (list|status))/.test(words) && !words.includes('…'));
  // One of each: which metrics a page looks for is checked with the pages.
  const each = new Map(looks.map((words) => [words.replace(/ --match .*/, ''), words]));
  expect(each.size).toBeGreaterThan(6);
  for (const words of each.values()) expect([words, await svc(words)]).toEqual([words, expect.stringMatching(/./) as string]);
});

test('NeedsReview: a document that the authority has otherwise is found and resolved by the commands of its page', async () => {
  const call = checkedClient(system.url, system.setup.test_key);
  const { body: customer } = await call<{ id: string }>('POST', '/customers', { body: { name: 'Blue Door Books' } });
  const items = [{ description: 'Consulting', quantity: 1, unit_price: 50, tax_rate: 20 }];
  const { body: invoice } = await call<{ id: string }>('POST', '/invoices', {
    body: { customer_id: customer.id, items, metadata: { simulate: 'duplicate_foreign' } },
  });
  await call('POST', `/invoices/${invoice.id}/submit`);
  const list = `${commandOf('NeedsReview', 'submissions list', { authority: 'sandbox' })} --livemode false`;
  const listed = async () => JSON.parse(await svc(list)) as { data: { document_id: string; account: string }[]; total: number };
  const { data } = await eventually(async () => ((await listed()).total > 0 ? listed() : undefined), 'the document waits for a review');
  expect(data).toEqual([expect.objectContaining({ document_id: invoice.id, account: system.setup.account_id })]);
  await svc(commandOf('NeedsReview', 'submissions resolve', { id: invoice.id }));
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
  const failing = async () =>
    JSON.parse(await svc(commandOf('WebhooksFailing', 'endpoints list'))) as { data: { id: string; last_error: string }[] };
  const { data: endpoints } = await eventually(
    async () => ((await failing()).data.length > 0 ? failing() : undefined),
    'the endpoint fails',
  );
  expect(endpoints).toEqual([expect.objectContaining({ id: endpoint.id, last_error: 'it answered 500' })]);
  const list = commandOf('WebhooksFailing', 'deliveries list', { endpoint: endpoint.id, status: 'pending' });
  const { data: deliveries } = JSON.parse(await svc(list)) as { data: { id: string; last_attempt: object }[] };
  expect(deliveries).toEqual([expect.objectContaining({ last_attempt: expect.objectContaining({ status_code: 500 }) })]);
  isMended = true;
  const resend = commandOf('WebhooksFailing', 'deliveries resend', { endpoint: endpoint.id, delivery: deliveries[0]?.id ?? '' });
  expect(JSON.parse(await svc(resend))).toMatchObject({ status: 'succeeded' });
  expect(JSON.parse(await svc(commandOf('WebhooksFailing', 'endpoints list')))).toEqual({ data: [], total: 0 });
});
