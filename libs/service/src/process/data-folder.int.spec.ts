import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@svc/kernel';
import { useDataFolder } from './data-folder.ts';

let root: string;
let lines: string[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'data-folder-'));
  lines = [];
});
afterEach(() => rmSync(root, { recursive: true }));

const use = (folder: string): Promise<void> => useDataFolder(folder, systemClock, { warn: (_fields, message) => void lines.push(message) });
const modeOf = (...path: string[]): string => (statSync(join(root, ...path)).mode & 0o7777).toString(8);

test('makes a folder that only its owner can use', async () => {
  await use(join(root, 'a', 'data'));
  expect(modeOf('a', 'data')).toBe('700');
});

test('takes the rights of others on a folder and its files away, and on nothing outside of it', async () => {
  const folder = join(root, 'data');
  mkdirSync(join(folder, 'lost+found'), { recursive: true });
  chmodSync(folder, 0o755);
  writeFileSync(join(root, 'elsewhere'), '');
  symlinkSync(join(root, 'elsewhere'), join(folder, 'link'));
  for (const name of ['authority.sqlite', 'authority.sqlite-wal', 'lock.sqlite', 'any']) writeFileSync(join(folder, name), '');
  for (const path of ['elsewhere', 'data/authority.sqlite', 'data/authority.sqlite-wal', 'data/lock.sqlite', 'data/any'])
    chmodSync(join(root, path), 0o644);
  chmodSync(join(folder, 'lost+found'), 0o755);
  await use(folder);
  expect(modeOf('data')).toBe('700');
  for (const name of ['authority.sqlite', 'authority.sqlite-wal', 'lock.sqlite', 'any'])
    expect([name, modeOf('data', name)]).toEqual([name, '600']);
  expect([modeOf('elsewhere'), modeOf('data', 'lost+found'), lines]).toEqual(['644', '755', []]);
});

test('a folder of everybody keeps its rights, and so do the files in it; the log says so', async () => {
  const folder = join(root, 'everybody');
  mkdirSync(folder);
  chmodSync(folder, 0o1777);
  writeFileSync(join(folder, 'of others'), '');
  chmodSync(join(folder, 'of others'), 0o644);
  await use(folder);
  expect([modeOf('everybody'), modeOf('everybody', 'of others')]).toEqual(['1777', '644']);
  expect(lines).toEqual([expect.stringContaining('choose one of its own')]);
});

test('a folder that cannot be used is reported in words', async () => {
  writeFileSync(join(root, 'file'), '');
  for (const path of [join(root, 'file'), join(root, 'file', 'data')])
    await expect(use(path)).rejects.toThrow(/^DATA_DIR .* cannot be a folder: .*file is a file/);
  // No user can create a folder there, not even root.
  await expect(use('/sys/svc')).rejects.toThrow(/^DATA_DIR \/sys\/svc cannot be written to by this user /);
  expect(existsSync(join(root, 'file', 'data'))).toBe(false);
});
