import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitsAfter, problemOf } from './lint-commits.mjs';
import { bumpOf, parseMessage } from './release/commits.mjs';

describe('the subject of a commit', () => {
  test.each([
    'feat(gateway): a route',
    'fix!: what breaks',
    'revert: feat: a route',
    'Revert "feat: a route"',
    'chore(release): gateway@0.1.1',
  ])('may be %s', (subject) => {
    expect(problemOf(subject)).toBeUndefined();
  });

  test.each([
    ['Adds a route', 'is not `type(scope)'],
    ['feat(gateway):', 'is not `type(scope)'],
    ['feature(gateway): a route', 'has the type feature; there are: feat, fix'],
    ['Feat: a route', 'has the type Feat'],
    [`feat: ${'a'.repeat(120)}`, 'has 126 characters'],
  ])('may not be %s', (subject, problem) => {
    expect(problemOf(subject)).toContain(problem);
  });
});

test.each([
  ['a note', 'fix: a route\n\nBREAKING CHANGE: it is gone', 'major'],
  ['a mark', 'fix!: a route', 'major'],
  ['a sentence about one', 'fix: a route\n\nThe only\nbreaking change is in tests.', 'patch'],
  ['a revert by git', 'Revert "feat: a route"\n\nThis reverts commit 0123456.', 'patch'],
])('the version after %s', (_what, message, bump) => expect(bumpOf(parseMessage(message))).toBe(bump));

describe('the commits that are checked', () => {
  let folder: string;
  let before: { commit: string; committed: string };
  const git = (cwd: string, args: string[], day = 1): string => {
    const date = `2026-01-0${day}T00:00:00Z`;
    const env = { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], { cwd, encoding: 'utf8', env });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const commit = (day: number, message: string): string => git(folder, ['commit', '--quiet', '--allow-empty', '--message', message], day);
  const subjects = (repository: string): string[] =>
    commitsAfter(repository, before)
      .map(([, subject]) => subject)
      .sort();

  // main: old – the last before – one ─ merge ─ four; side, from the old one: older side – three
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-lint-commits-'));
    git(folder, ['init', '--quiet', '--initial-branch=main']);
    commit(1, 'old');
    git(folder, ['checkout', '--quiet', '-b', 'side']);
    commit(1, 'older side');
    commit(4, 'three');
    git(folder, ['checkout', '--quiet', 'main']);
    commit(2, 'the last before');
    before = { commit: git(folder, ['rev-parse', 'HEAD']), committed: '2026-01-02T00:00:00Z' };
    commit(3, 'one');
    git(folder, ['merge', '--quiet', '--no-ff', '--message', 'Merge side', 'side'], 5);
    commit(6, 'four');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('are those after the last one before, on all branches that were merged, and no merge', () => {
    expect(subjects(folder)).toEqual(['four', 'one', 'three']);
  });

  test.each([
    [1, ['four']],
    [3, ['four', 'one', 'three']],
    [4, ['four', 'one', 'three']],
  ])('are those that a clone of depth %d has', (depth, expected) => {
    const clone = join(folder, `clone-${depth}`);
    git(folder, ['clone', '--quiet', '--depth', String(depth), `file://${folder}`, clone]);
    expect(subjects(clone)).toEqual(expected);
  });

  test('are none outside a repository', () => {
    const empty = mkdtempSync(join(tmpdir(), 'svc-lint-commits-'));
    expect(subjects(empty)).toEqual([]);
    rmSync(empty, { recursive: true });
  });
});
