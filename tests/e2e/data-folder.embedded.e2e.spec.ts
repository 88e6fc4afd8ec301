import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePorts, runProgram, startSystem, type System } from '@svc/testkit';
import { checkedClient } from './testing/checked-client.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system?.stop());

const dataFolder = (): string => join(system.dataDir, 'data');
const call: ReturnType<typeof checkedClient> = (...request) => checkedClient(system.url, system.setup.test_key)(...request);

test('refuses a second start on the same data folder while the first serves', async () => {
  const { code, output } = await runProgram({ env: { ...(await freePorts()), DATA_DIR: dataFolder() } });
  expect(code).toBe(1);
  expect(output).toMatch(/data folder/);
  expect(output).not.toMatch(/^\s+at /m);
  expect((await call('GET', '/account')).status).toBe(200);
});

const modes = (): string[][] =>
  ['.', ...readdirSync(dataFolder()).sort()].map((name) => [name, (statSync(join(dataFolder(), name)).mode & 0o777).toString(8)]);

test('all that it writes is readable only by its owner, and a start takes the rights away that an earlier release gave', async () => {
  expect((statSync(join(system.dataDir, 'setup.json')).mode & 0o777).toString(8)).toBe('600');
  const expected = modes().map(([name]) => [name, name === '.' ? '700' : '600']);
  expect(expected.map(([name]) => name)).toEqual(
    expect.arrayContaining(['authority.sqlite', 'data.sqlite', 'lock.sqlite', 'secrets.json']),
  );
  expect(modes()).toEqual(expected);
  await system.kill();
  for (const [name = ''] of modes()) chmodSync(join(dataFolder(), name), name === '.' ? 0o755 : 0o644);
  system = await system.restart();
  expect(modes()).toEqual(modes().map(([name]) => [name, name === '.' ? '700' : '600']));
});

test('refuses a data folder of a newer version and leaves it unchanged', async () => {
  const { id } = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Blue Door Books' } })).body;
  await system.kill('SIGTERM');
  const format = (change: (found: number) => number): void => {
    const db = new DatabaseSync(join(dataFolder(), 'data.sqlite'));
    const { user_version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
    db.exec(`PRAGMA user_version = ${change(user_version)}`);
    db.close();
  };
  format((found) => found + 1);
  const { code, output } = await runProgram({ env: { ...(await freePorts()), DATA_DIR: dataFolder() } });
  expect(code).toBe(1);
  expect(output).toMatch(/format/);
  format((found) => found - 1);
  system = await system.restart();
  expect((await call<{ id: string }>('GET', `/customers/${id}`)).body.id).toBe(id);
});
