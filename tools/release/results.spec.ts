import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from './history.mjs';
import { commitOf, keepResults, resultsOf } from './results.mjs';

let folder: string;
let before: string | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-results-'));
  before = process.env['XDG_CACHE_HOME'];
  process.env['XDG_CACHE_HOME'] = mkdtempSync(join(tmpdir(), 'svc-results-cache-'));
  git(folder, 'init', '--quiet');
  git(folder, '-c', 'user.name=x', '-c', 'user.email=x@x.example', 'commit', '--quiet', '--allow-empty', '--message', 'one');
});
afterEach(() => {
  for (const path of [folder, process.env['XDG_CACHE_HOME'] as string]) rmSync(path, { recursive: true });
  if (before === undefined) delete process.env['XDG_CACHE_HOME'];
  else process.env['XDG_CACHE_HOME'] = before;
});

const gate = { passed: true, services: {} };
const from = 'b'.repeat(40);

test('keeps what each check has found about a commit, and a later run of one in place of the earlier', () => {
  const commit = commitOf(folder) as string;
  expect(resultsOf(commit, [])).toEqual({ commit });
  expect(keepResults(folder, commit, { gate })).toContain(commit);
  for (const passed of [false, true]) keepResults(folder, commit, { mixed: { gateway: { passed, from } } });
  keepResults(folder, commit, { mixed: { reporting: { passed: false, from } } });
  expect(resultsOf(commit, [])).toEqual({
    ...{ commit, gate },
    mixed: { gateway: { passed: true, from }, reporting: { passed: false, from } },
  });
});

test('keeps nothing of a tree with changes that no commit has', () => {
  const commit = commitOf(folder) as string;
  writeFileSync(join(folder, 'changed'), '');
  expect(commitOf(folder)).toBeUndefined();
  expect(keepResults(folder, commit, { gate })).toContain('no results are kept');
  expect(resultsOf(commit, [])).toEqual({ commit });
});

test('takes the results of other machines by file, of this commit alone', () => {
  const commit = commitOf(folder) as string;
  const file = join(folder, 'results.json');
  const given = (of: string): void => writeFileSync(file, JSON.stringify({ commit: of, mixed: { gateway: { passed: true, from } } }));
  keepResults(folder, commit, { gate });
  given(commit);
  expect(resultsOf(commit, [file])).toEqual({ commit, gate, mixed: { gateway: { passed: true, from } } });
  given(from);
  expect(() => resultsOf(commit, [file])).toThrow(`has the results of ${from}`);
  writeFileSync(file, 'x');
  expect(() => resultsOf(commit, [file])).toThrow(`${file} cannot be read as results of a commit`);
});
