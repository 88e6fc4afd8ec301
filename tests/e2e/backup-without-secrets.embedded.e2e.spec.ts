import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client, freePorts, runProgram, startSystem, type System } from '@svc/testkit';
import { checkedClient } from './testing/checked-client.ts';

const work = mkdtempSync(join(tmpdir(), 'without-secrets-'));
const backup = join(work, 'backup');
let system: System;
let customer: string;
let restored: System | undefined;

beforeAll(async () => {
  system = await startSystem();
  const { body } = await checkedClient(system.url, system.setup.test_key)<{ id: string }>('POST', '/customers', {
    body: { name: 'Blue Door Books' },
  });
  customer = body.id;
});
afterEach(async () => {
  await restored?.stop();
  restored = undefined;
});
afterAll(async () => {
  await system?.stop();
  rmSync(work, { recursive: true });
});

/** A folder of a new process that has the backup as its data folder. The first start's file of keys is there, as in the system's own. */
function restoredFolder(name: string): string {
  const folder = join(work, name);
  cpSync(backup, join(folder, 'data'), { recursive: true });
  copyFileSync(join(system.dataDir, 'setup.json'), join(folder, 'setup.json'));
  return folder;
}
const nameAt = async ({ url }: System): Promise<unknown> =>
  (await checkedClient(url, system.setup.test_key)<{ name: string }>('GET', `/customers/${customer}`)).body.name;

test('svc admin backup --secrets false says what a restore needs', async () => {
  const { code, output } = await runProgram({
    file: 'services/standalone/dist/bundle/svc.mjs',
    args: ['admin', 'backup', '--to', backup, '--secrets', 'false'],
    env: { DATA_DIR: join(system.dataDir, 'data'), OPS_PORT: new URL(system.ops).port },
  });
  expect([code, output]).toEqual([0, expect.stringContaining('A restore needs the secrets.json')]);
  const sent = client(`${system.ops}/admin`, system.setup.admin_token)('POST', '/backup', { body: { folder: join(work, 'whole') } });
  expect((await sent).body).toMatchObject({ secrets: expect.stringContaining('secrets.json has the keys') });
});

test('a start on it is refused without them, and stores nothing', async () => {
  const folder = restoredFolder('refused');
  const { code, output } = await runProgram({ env: { ...(await freePorts()), DATA_DIR: join(folder, 'data') } });
  expect([code, output]).toEqual([1, expect.stringContaining('was restored from a backup without its secrets')]);
  expect(output).not.toMatch(/^\s+at /m);
  copyFileSync(join(system.dataDir, 'data', 'secrets.json'), join(folder, 'data', 'secrets.json'));
  restored = await startSystem({}, folder);
  expect(await nameAt(restored)).toBe('Blue Door Books');
});

test('it starts with the root key of its system as SECRETS_KEY', async () => {
  const { rootKey } = JSON.parse(readFileSync(join(system.dataDir, 'data', 'secrets.json'), 'utf8')) as { rootKey: string };
  restored = await startSystem({ SECRETS_KEY: rootKey }, restoredFolder('with-key'));
  expect(await nameAt(restored)).toBe('Blue Door Books');
});
