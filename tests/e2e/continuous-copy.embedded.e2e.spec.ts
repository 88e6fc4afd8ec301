import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client, eventually, freePorts, runProgram, startSystem, type Call, type System } from '@svc/testkit';
import { OPS_TOKEN } from './testing/shared/shared-system.ts';
import { sleep } from './testing/retrying-client.ts';

const SVC = 'services/standalone/dist/bundle/svc.mjs';
let system: System;
let root: string;
let backups: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'continuous-'));
  backups = join(root, 'backups');
  system = await startSystem({ BACKUP_EVERY: '1h', BACKUP_CONTINUOUS: 'true', BACKUP_FOLDER: backups, OPS_TOKEN, LOG_LEVEL: 'info' });
});
afterAll(async () => {
  await system?.stop();
  rmSync(root, { recursive: true });
});

const call: Call = (...request) => client(`${system.url}/v1`, system.setup.test_key)(...request);
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${system.ops}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}
const copiedUpTo = async (): Promise<number> => (await metric('svc_backup_copy_timestamp_seconds')) * 1_000;
const idOf = async (path: string, body: object): Promise<string> => (await call<{ id: string }>('POST', path, { body })).body.id;
const invoice = (customer: string): Promise<string> =>
  idOf('/invoices', { customer_id: customer, items: [{ description: 'x', quantity: 1, unit_price: 100, tax_rate: 20 }] });

const restore = (into: string, ...args: string[]) =>
  runProgram({ file: SVC, args: ['admin', 'restore', '--from', backups, ...args], env: { DATA_DIR: into } });
async function untilCopied(): Promise<number> {
  const now = Date.now();
  await eventually(async () => (await copiedUpTo()) >= now, 'the copy');
  return now;
}

test('a restore to a second has exactly the documents that were acknowledged by then, and its series are closed', async () => {
  await eventually(async () => (await copiedUpTo()) > 0, 'the first base');
  await untilCopied();
  const customer = await idOf('/customers', { name: 'Blue Door Books' });
  const acknowledged: { id: string; at: number }[] = [];
  for (let n = 0; n < 30; n += 1) {
    const id = await invoice(customer);
    acknowledged.push({ id, at: Date.now() });
    if (n % 10 === 4) await call('POST', `/invoices/${id}/submit`, { headers: { prefer: 'wait=10' } });
    await sleep(130);
  }
  const to = Math.floor((acknowledged[15]?.at ?? 0) / 1_000) * 1_000;
  await system.kill('SIGKILL');

  const into = join(root, 'restored');
  const early = await restore(into, '--to', '2026-01-01T00:00:00Z');
  expect([early.code, early.output]).toEqual([
    1,
    expect.stringMatching(/is not copied\. A restore is possible to each second from \d{4}.* to /),
  ]);
  const restored = await restore(into, '--to', new Date(to).toISOString());
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('restored_to') });
  const verified = await runProgram({ file: SVC, args: ['admin', 'verify', '--folder', into] });
  expect(JSON.parse(verified.output)).toMatchObject({ ok: true, problems: [] });

  const data = join(system.dataDir, 'data');
  renameSync(data, join(root, 'lost'));
  cpSync(into, data, { recursive: true });
  cpSync(join(root, 'lost', 'authority.sqlite'), join(data, 'authority.sqlite'));
  system = await system.restart();
  for (const { id, at } of acknowledged)
    if (Math.abs(at - to) > 100) expect([id, (await call('GET', `/invoices/${id}`)).status]).toEqual([id, at < to ? 200 : 404]);
  expect((await call('POST', `/invoices/${acknowledged[0]?.id}/submit`)).status).toBe(503);
  const { body } = await client(`${system.ops}/admin`, OPS_TOKEN)<{ data: { open: boolean }[] }>('GET', '/series');
  expect(body.data.map(({ open }) => open)).toEqual([false]);
}, 120_000);

test('kill -9 loses nothing that was acknowledged ten seconds before; a folder that is away is caught up with', async () => {
  await eventually(async () => (await copiedUpTo()) > 0, 'the base of the restored system');
  const customer = await idOf('/customers', { name: 'Green Gate Grocers' });
  await untilCopied();
  renameSync(backups, `${backups}-away`);
  writeFileSync(backups, '');
  const ids = [await invoice(customer)];
  await eventually(async () => (await metric('svc_backup_copy_failures_total')) > 0, 'a failure');
  rmSync(backups);
  renameSync(`${backups}-away`, backups);
  ids.push(await invoice(customer));
  await untilCopied();
  const changes = readdirSync(backups).filter((name) => name.endsWith('-changes'));
  await system.kill('SIGKILL');
  const into = join(root, 'restored-end');
  expect(await restore(into)).toMatchObject({ code: 0 });
  const data = join(system.dataDir, 'data');
  renameSync(data, join(root, 'lost-end'));
  mkdirSync(data);
  cpSync(into, data, { recursive: true });
  system = await system.restart();
  for (const id of ids) expect([id, (await call('GET', `/invoices/${id}`)).status]).toEqual([id, 200]);
  expect(changes).toHaveLength(1);
}, 120_000);

test('a continuous copy without backups is refused at the start', async () => {
  const env = { ...(await freePorts()), DATA_DIR: join(root, 'none'), BACKUP_CONTINUOUS: 'true' };
  for (const args of [[], ['--check']])
    expect(await runProgram({ env, args })).toEqual({ code: 1, output: expect.stringContaining('BACKUP_CONTINUOUS needs BACKUP_EVERY') });
});
