import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { systemClock as clock } from '@svc/kernel';
import { createLogger, Health, startOps, type Ops } from '@svc/service';
import { backupRoutes, backupsOf } from './backup.ts';

const TOKEN = 'admin-token-of-thirty-two-characters';
const logger = createLogger({ level: 'silent', service: 'test' });
let root: string;
let data: string;
let engine: Engine;
let ops: Ops;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'backup-'));
  data = join(root, 'data.part');
  engine = Engine.open(data, { durable: false });
  writeFileSync(join(data, 'secrets.json'), '{}');
  const admin = backupRoutes(
    { backUp: backupsOf({ engine, folder: data, databases: [], clock }), clock, logger },
    { token: TOKEN, named: [] },
  );
  ops = await startOps({ host: '127.0.0.1', port: 0, health: new Health(), logger, admin });
});
afterEach(async () => {
  await ops.close();
  engine.close();
  rmSync(root, { recursive: true });
});

async function backUpTo(folder: string, over: object = {}) {
  const answer = await fetch(`http://127.0.0.1:${ops.port}/admin/backup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ folder, ...over }),
  });
  return { status: answer.status, body: await answer.text() };
}

test('holds the database, the secrets, and the mark that the first keys were shown where there is one', async () => {
  expect((await backUpTo(join(root, 'new'))).status).toBe(200);
  expect(readdirSync(join(root, 'new')).sort()).toEqual(['data.sqlite', 'secrets.json']);
  writeFileSync(join(data, 'first-keys-shown'), '');
  expect((await backUpTo(join(root, 'shown'))).status).toBe(200);
  expect(readdirSync(join(root, 'shown')).sort()).toEqual(['data.sqlite', 'first-keys-shown', 'secrets.json']);
});

test('says what secrets it holds, and leaves them out where that is wanted', async () => {
  const whole = await backUpTo(join(root, 'whole'));
  expect(whole).toEqual({ status: 200, body: expect.stringContaining('secrets.json has the keys that decrypt') });
  const { status, body } = await backUpTo(join(root, 'without'), { secrets: false });
  expect([status, body]).toEqual([200, expect.stringContaining('secrets.json is not in it')]);
  expect(readdirSync(join(root, 'without')).sort()).toEqual(['data.sqlite', 'secrets-left-out']);
  expect(await backUpTo(join(root, 'neither'), { secrets: 'no' })).toEqual({ status: 422, body: expect.stringContaining('secrets') });
});

test('removes nothing beside the folder, not even a data folder that ends in .part', async () => {
  expect((await backUpTo(join(root, 'data'))).status).toBe(200);
  expect(readdirSync(data)).toEqual(expect.arrayContaining(['data.sqlite', 'secrets.json']));
  expect(readdirSync(root).sort()).toEqual(['data', 'data.part']);
});

test('takes a path with a slash at its end, and makes the folders above it', async () => {
  const folder = join(root, 'backups', 'monday');
  expect(await backUpTo(`${folder}/`)).toEqual({ status: 200, body: expect.stringContaining(`"folder":"${folder}"`) });
  expect(readdirSync(join(root, 'backups'))).toEqual(['monday']);
  expect((await backUpTo(folder)).body).toContain('is there already');
});

test('an error of the folder is reported as one of the folder, and leaves nothing behind', async () => {
  writeFileSync(join(root, 'file'), '');
  expect(await backUpTo(join(root, 'file', 'backup'))).toEqual({ status: 422, body: expect.stringContaining('cannot be written') });
  rmSync(join(data, 'secrets.json'));
  mkdirSync(join(data, 'secrets.json'));
  expect(await backUpTo(join(root, 'backup'))).toEqual({ status: 422, body: expect.stringContaining('cannot be written') });
  expect(existsSync(join(root, 'backup'))).toBe(false);
  expect(readdirSync(root).sort()).toEqual(['data.part', 'file']);
  expect(await engine.check()).toBe(true);
});
