import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { Engine } from '@svc/embedded';
import { examineFolder, findingsText } from './examine-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-examine-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The files of the folder with their bytes. */
const content = (): [string, string][] =>
  readdirSync(folder)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), 'hex')]);

function frozen(name: string): void {
  const file = new URL(`../fixtures/${name}/data/data.sqlite.gz`, import.meta.url);
  writeFileSync(join(folder, 'data.sqlite'), gunzipSync(readFileSync(file)));
}

test('a folder of 0.1.0 is rewritten and its lists are built anew; finding that out changes nothing', () => {
  frozen('data-folder-v1');
  const before = content();
  const { database, steps, copies } = examineFolder(folder);
  expect(database).toEqual({ format: 1, bytes: expect.any(Number) });
  expect(steps.map(({ what }) => what)).toEqual([
    expect.stringContaining('data.sqlite of release 0.1.0 is rewritten to format 5'),
    expect.stringMatching(/^lists are built anew from \d+ events/),
  ]);
  expect(steps[0]?.bytes).toBe(database?.bytes);
  expect(copies).toEqual([]);
  expect(content()).toEqual(before);
});

test('a folder of this release is only opened, also while a process runs on it and after it was killed', async () => {
  const engine = Engine.open(folder, { durable: false });
  expect(examineFolder(folder)).toMatchObject({ database: { format: 5 }, steps: [] });
  engine.define('CREATE TABLE rows(n INTEGER)');
  await engine.write(({ sql }) => sql.call(engine, 'INSERT INTO rows VALUES (1)').run());
  const killed = mkdtempSync(join(tmpdir(), 'svc-killed-'));
  cpSync(folder, killed, { recursive: true });
  engine.close();
  cpSync(killed, folder, { recursive: true });
  rmSync(killed, { recursive: true });
  const [wal, data] = ['data.sqlite-wal', 'data.sqlite'].map((name) => readFileSync(join(folder, name), 'hex'));
  expect(examineFolder(folder)).toMatchObject({ database: { format: 5 }, steps: [] });
  expect(['data.sqlite-wal', 'data.sqlite'].map((name) => readFileSync(join(folder, name), 'hex'))).toEqual([wal, data]);
});

test('a folder of a later release is refused, and nothing is made in it', () => {
  const db = new DatabaseSync(join(folder, 'data.sqlite'));
  db.exec('PRAGMA user_version=6; CREATE TABLE rows(n)');
  db.close();
  expect(() => examineFolder(folder)).toThrow('the data folder has format 6, this version knows 5');
  expect(readdirSync(folder)).toEqual(['data.sqlite']);
});

test('the text names what a start does first, and the copies that an upgrade has left', () => {
  expect(findingsText(folder, examineFolder(folder))).toContain('no database yet: a start makes one');
  frozen('data-folder-v1');
  writeFileSync(join(folder, 'data-0.1.0.sqlite'), '');
  const text = findingsText(folder, examineFolder(folder));
  expect(text).toMatch(/^- data\.sqlite of release 0\.1\.0 is rewritten .* About \d+ s; needs \d+ MiB of \d+ MiB that are free$/m);
  expect(text).toContain(`${join(folder, 'data-0.1.0.sqlite')} is the copy from before an upgrade`);
});

test('a folder that is not there yet is not made', () => {
  const absent = join(folder, 'not', 'there');
  expect(examineFolder(absent)).toMatchObject({ database: undefined, steps: [] });
  expect(readdirSync(folder)).toEqual([]);
});
