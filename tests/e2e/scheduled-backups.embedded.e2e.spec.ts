import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePorts, runProgram, startSystem, type System } from '@svc/testkit';

/** It is verified by a process of low priority. */
const VERIFIED_MS = 180_000;
let system: System;
beforeAll(async () => {
  system = await startSystem({ BACKUP_EVERY: '1h', BACKUP_SECRETS: 'false', LOG_LEVEL: 'info' });
});
afterAll(() => system?.stop());

const metric = async (name: string, { ops } = system): Promise<number> =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await (await fetch(`${ops}/metrics`)).text())?.[1]);

test('a scheduled backup is made at the start, verified with the keys of the process, measured, and starts with its secrets', async () => {
  const folder = join(system.dataDir, 'data-backups');
  await eventually(async () => (await metric('svc_backup_newest_timestamp_seconds')) > 0, 'the first backup', VERIFIED_MS);
  expect([await metric('svc_backup_interval_seconds'), await metric('svc_backup_failures_total')]).toEqual([3_600, 0]);
  const [name = '', ...others] = readdirSync(folder);
  expect([name, others]).toEqual([expect.stringMatching(/^s[0-9a-f]{12}-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/), []]);
  expect(system.output()).toContain('a scheduled backup was made and verified');

  const data = join(system.dataDir, 'data');
  const svc = (...args: string[]) => runProgram({ file: 'services/standalone/dist/bundle/svc.mjs', args: ['admin', ...args] });
  const verified = await svc('verify', '--folder', join(folder, name), '--keys-of', data);
  expect([verified.code, JSON.parse(verified.output)]).toEqual([0, expect.objectContaining({ ok: true, problems: [] })]);
  expect(await svc('verify', '--folder', join(folder, name))).toEqual({ code: 1, output: expect.stringContaining('without its secrets') });

  await system.kill('SIGKILL');
  const secrets = readFileSync(join(data, 'secrets.json'));
  rmSync(data, { recursive: true });
  cpSync(join(folder, name), data, { recursive: true });
  await expect(system.restart()).rejects.toThrow('without its secrets');
  cpSync(join(folder, name), data, { recursive: true });
  writeFileSync(join(data, 'secrets.json'), secrets);
  system = await system.restart();
  await eventually(async () => (await metric('svc_backup_newest_timestamp_seconds')) > 0, 'the backup of before');
});

test('a backup of a system whose key is in a file is verified with it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-key-'));
  writeFileSync(join(root, 'key'), `v1:${Buffer.alloc(32, 1).toString('base64')}\n`);
  const other = await startSystem({ BACKUP_EVERY: '1h', SECRETS_KEY_FILE: join(root, 'key') });
  try {
    await eventually(async () => (await metric('svc_backup_newest_timestamp_seconds', other)) > 0, 'the first backup', VERIFIED_MS);
    expect(await metric('svc_backup_failures_total', other)).toBe(0);
  } finally {
    await other.stop();
    rmSync(root, { recursive: true });
  }
});

test.each([
  ['in DATA_DIR', { BACKUP_FOLDER: 'data/backups', BACKUP_EVERY: '1h' }, 'is in DATA_DIR'],
  ['shorter than a minute', { BACKUP_FOLDER: 'backups', BACKUP_EVERY: '5s' }, 'BACKUP_EVERY'],
])('a schedule %s is refused at start, which makes nothing', async (_what, { BACKUP_EVERY, BACKUP_FOLDER }, message) => {
  const root = mkdtempSync(join(tmpdir(), 'svc-schedule-'));
  const env = { ...(await freePorts()), DATA_DIR: join(root, 'data'), BACKUP_EVERY, BACKUP_FOLDER: join(root, BACKUP_FOLDER) };
  for (const args of [[], ['--check']])
    expect(await runProgram({ env, args })).toEqual({ code: 1, output: expect.stringContaining(message) });
  expect(readdirSync(root)).toEqual([]);
  rmSync(root, { recursive: true });
});
