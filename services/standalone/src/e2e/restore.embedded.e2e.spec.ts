import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { client, startSystem } from '@svc/testkit';
import { databases } from '../compose.ts';
import { OPS_TOKEN } from './testing/shared/shared-system.ts';
import { testRestore } from './testing/restore.ts';

let dataFolder: string;

describe('a data folder that is restored from its backup', () => {
  testRestore(async (subscriber) => {
    const backups = mkdtempSync(join(tmpdir(), 'backup-'));
    let made = 0;
    const newest = (): string => join(backups, `backup-${made}`);
    let system = await startSystem({ WEBHOOKS_ALLOW: subscriber, OPS_TOKEN });
    dataFolder = join(system.dataDir, 'data');
    const { test_key: testKey, admin_token: adminToken } = system.setup;
    return {
      origin: () => system.url,
      ops: () => system.ops,
      simulator: () => system.simulator,
      testKey,
      opsToken: OPS_TOKEN,
      async backUp() {
        made += 1;
        const post = (folder: string, token = adminToken) => client(`${system.ops}/admin`, token)('POST', '/backup', { body: { folder } });
        const folder = newest();
        expect((await post(folder)).body).toEqual({ folder, bytes: expect.any(Number), seconds: expect.any(Number) });
        for (const wrong of [folder, join(dataFolder, 'inside'), 'relative']) expect((await post(wrong)).status).toBe(422);
        expect((await post(join(backups, 'other'), OPS_TOKEN)).status).toBe(401);
        expect(readdirSync(backups)).not.toContain('other');
      },
      async loseAndRestore() {
        await system.kill('SIGKILL');
        for (const file of ['data.sqlite', 'data.sqlite-wal', 'data.sqlite-shm', 'secrets.json'])
          rmSync(join(dataFolder, file), { force: true });
        for (const file of ['data.sqlite', 'secrets.json']) copyFileSync(join(newest(), file), join(dataFolder, file));
        system = await system.restart();
      },
      async stop() {
        await system.stop();
        rmSync(backups, { recursive: true });
      },
    };
  });

  test('every collection is in the table of what a backup holds and what is rebuilt', () => {
    const db = new DatabaseSync(join(dataFolder, 'data.sqlite'), { readOnly: true });
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%.%'").all();
    db.close();
    const found = tables.map(({ name }) => String(name)).filter((name) => !name.endsWith('_dead_letters'));
    const declared = databases.flatMap(({ database, source, rebuilt }) => [...source, ...rebuilt].map((name) => `${database}.${name}`));
    // The page for operators has the same table.
    const page = readFileSync(new URL('../../../../deploy/backup.md', import.meta.url), 'utf8');
    const named = (cell: string | undefined): string[] => [...(cell ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name as string);
    for (const { database, source, rebuilt } of databases) {
      const [, , inBackup, notRestored] =
        page
          .split('\n')
          .find((line) => line.startsWith(`| \`${database}\``))
          ?.split('|') ?? [];
      expect([database, named(inBackup)]).toEqual([database, source]);
      expect([database, named(notRestored)]).toEqual([database, rebuilt.filter((name) => !/_v\d+$/.test(name)).sort()]);
    }
    // Those of the gateway as a process of its own.
    expect(declared.filter((name) => !found.includes(name))).toEqual(['svc_gateway.first_starts', 'svc_gateway.limits']);
    expect(found.filter((name) => !declared.includes(name))).toEqual([]);
  });
});
