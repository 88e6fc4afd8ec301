import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../setup.mjs';
import { setOneProcess } from './one-process.mjs';

const FILES = ['package.json', 'package-lock.json', 'services/standalone/package.json', 'deploy/one-process/Chart.yaml'];

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svc-one-process-'))));
afterEach(() => rmSync(folder, { recursive: true }));
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');

test('the one process and its chart get the version, and nothing else changes', () => {
  for (const file of FILES) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { preserveTimestamps: true });
  }
  const before = FILES.map(read);
  const { mtimeMs } = statSync(join(folder, 'package-lock.json'));
  setOneProcess(folder, '9.8.7');
  expect(parse(read('deploy/one-process/Chart.yaml'))).toMatchObject({ version: '9.8.7', appVersion: '9.8.7' });
  const [own, lock, program] = FILES.slice(0, 3).map((file) => JSON.parse(read(file)));
  expect([own.version, lock.version, program.version]).toEqual(['9.8.7', '9.8.7', '9.8.7']);
  expect([lock.packages[''].version, lock.packages['services/standalone'].version]).toEqual(['9.8.7', '9.8.7']);
  expect(Math.abs(statSync(join(folder, 'package-lock.json')).mtimeMs - mtimeMs)).toBeLessThan(1);
  const changed = (text: string, n: number): string[] => {
    const lines = before[n]?.split('\n') ?? [];
    return text.split('\n').filter((line, at) => line !== lines[at]);
  };
  const found = FILES.map(read).flatMap(changed);
  expect(found).toHaveLength(7);
  for (const line of found) expect(line).toMatch(/version"?: "?9\.8\.7"?,?$/i);
});

test('a repository without it stays as it is', () => {
  setOneProcess(folder, '9.8.7');
  expect(() => read('package.json')).toThrow(/ENOENT/);
});
