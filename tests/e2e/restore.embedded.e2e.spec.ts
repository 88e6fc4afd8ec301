import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { client, runProgram, startSystem } from '@svc/testkit';
import { databases } from '@svc/standalone/compose';
import { OPS_TOKEN } from './testing/shared/shared-system.ts';
import { testRestore } from './testing/restore.ts';

let dataFolder: string;

/** The tables of the collections, `svc_gateway.audit`, each with its number of documents. */
function countsOf(folder: string): Record<string, number> {
  const db = new DatabaseSync(join(folder, 'data.sqlite'), { readOnly: true });
  const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%.%'").all();
  const counts = names.map(({ name }): [string, number] => [
    String(name),
    Number(db.prepare(`SELECT count(*) AS n FROM "${String(name)}"`).get()?.['n']),
  ]);
  db.close();
  return Object.fromEntries(counts);
}

/** What the first start wrote, without the link for signing in, which each start renews. */
function keysIn(folder: string): object {
  const { sign_in_url: _, ...keys } = JSON.parse(readFileSync(join(folder, 'setup.json'), 'utf8')) as Record<string, unknown>;
  return keys;
}

/** `npm run svc -- admin restored`, as on a folder that was copied without `svc admin backup`. */
const announce = (folder: string) =>
  runProgram({ file: 'services/standalone/dist/bundle/svc.mjs', args: ['admin', 'restored'], env: { DATA_DIR: folder } });

describe('a data folder that is restored from its backup, then from a copy', () => {
  testRestore(async (subscriber) => {
    const backups = mkdtempSync(join(tmpdir(), 'backup-'));
    let made = 0;
    const newest = (): string => join(backups, `backup-${made}`);
    let system = await startSystem({ WEBHOOKS_ALLOW: subscriber, OPS_TOKEN });
    dataFolder = join(system.dataDir, 'data');
    const keys = keysIn(system.dataDir);
    const { test_key: testKey, admin_token: adminToken } = system.setup;
    return {
      origin: () => system.url,
      ops: () => system.ops,
      chainsOps: () => system.ops,
      simulator: () => system.simulator,
      testKey,
      opsToken: OPS_TOKEN,
      counts: async () => countsOf(dataFolder),
      async backUp() {
        made += 1;
        if (made > 1) return; // The folder itself is copied, once its process has ended.
        const post = (folder: string, token = adminToken) => client(`${system.ops}/admin`, token)('POST', '/backup', { body: { folder } });
        const folder = newest();
        expect((await post(folder)).body).toMatchObject({ folder, bytes: expect.any(Number), seconds: expect.any(Number) });
        for (const wrong of [folder, join(dataFolder, 'inside'), 'relative']) expect((await post(wrong)).status).toBe(422);
        expect((await post(join(backups, 'other'), OPS_TOKEN)).status).toBe(401);
        expect(readdirSync(backups)).not.toContain('other');
      },
      async loseAndRestore() {
        if (made > 1) expect(await announce(dataFolder)).toEqual({ code: 1, output: expect.stringContaining('another process uses') });
        await system.kill('SIGKILL');
        const lost = join(backups, `lost-${made}`);
        cpSync(dataFolder, lost, { recursive: true });
        rmSync(dataFolder, { recursive: true });
        cpSync(made > 1 ? lost : newest(), dataFolder, { recursive: true });
        // The authority is not restored.
        for (const file of readdirSync(lost).filter((name) => name.startsWith('authority.')))
          copyFileSync(join(lost, file), join(dataFolder, file));
        if (made > 1) expect(await announce(dataFolder)).toMatchObject({ code: 0 });
        system = await system.restart();
        expect(keysIn(system.dataDir)).toEqual(keys);
        expect(system.output()).not.toMatch(/svc_(test|live)_/);
      },
      async stop() {
        await system.stop();
        rmSync(backups, { recursive: true });
      },
    };
  });

  test('every collection is in the table of what a backup holds and what is rebuilt', () => {
    const found = Object.keys(countsOf(dataFolder)).filter((name) => !name.endsWith('_dead_letters'));
    const declared = databases.flatMap(({ database, source, rebuilt }) => [...source, ...rebuilt].map((name) => `${database}.${name}`));
    // Those of the gateway as a process of its own.
    expect(declared.filter((name) => !found.includes(name))).toEqual(['svc_gateway.first_starts', 'svc_gateway.limits']);
    expect(found.filter((name) => !declared.includes(name))).toEqual([]);
  });
});
