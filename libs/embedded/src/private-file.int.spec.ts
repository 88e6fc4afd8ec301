import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from './engine.ts';

test('whatever the umask, no file of an open folder can be read by others', async () => {
  const root = mkdtempSync(join(tmpdir(), 'private-'));
  const before = process.umask(0);
  try {
    const engine = Engine.open(join(root, 'data'));
    engine.define('CREATE TABLE t (n INTEGER PRIMARY KEY)');
    await engine.write((db) => db.sql('INSERT INTO t VALUES (1)').run());
    const modes = readdirSync(join(root, 'data')).map((name) => [name, (statSync(join(root, 'data', name)).mode & 0o777).toString(8)]);
    expect(modes.map(([name]) => name)).toEqual(expect.arrayContaining(['data.sqlite', 'data.sqlite-wal', 'lock.sqlite']));
    expect(modes.filter(([, mode]) => mode !== '600')).toEqual([]);
    engine.close();
  } finally {
    process.umask(before);
    rmSync(root, { recursive: true });
  }
});
