import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { emulatorChanged, emulatorSpecs } from './emulator-specs.mjs';

const root = join(import.meta.dirname, '..');
// Without the variables that a git hook sets, which name another repository.
const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));

describe('the emulator of EventStoreDB has changed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-emulator-specs-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  let repository: string;
  function git(...args: string[]): void {
    const author = ['-c', 'user.name=spec', '-c', 'user.email=spec@example.com', '-c', 'commit.gpgsign=false'];
    const { status, stderr } = spawnSync('git', [...author, ...args], { cwd: repository, encoding: 'utf8', env: clean });
    if (status !== 0) throw new Error(stderr);
  }
  function write(path: string, text: string): void {
    mkdirSync(join(repository, path, '..'), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  function commit(): void {
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'a commit');
  }
  beforeEach(() => {
    repository = mkdtempSync(join(folder, 'repository-'));
    git('init', '--quiet');
    write('rig/eventstoredb/server.ts', '1');
    commit();
  });

  test('but not when neither the last commit nor the working tree touches them', () => {
    write('libs/one.ts', '1');
    commit();
    write('libs/two.ts', '1');
    expect(emulatorChanged(repository)).toBe(false);
  });

  test('when the last commit touches them, and not when only the one before it does', () => {
    write('rig/eventstoredb/server.ts', '2');
    commit();
    expect(emulatorChanged(repository)).toBe(true);
    commit();
    expect(emulatorChanged(repository)).toBe(false);
  });

  test('when a merge brings a change of them that is several commits old', () => {
    git('checkout', '--quiet', '-b', 'branch');
    write('rig/eventstoredb/server.ts', '2');
    commit();
    commit();
    git('checkout', '--quiet', '-');
    commit();
    git('merge', '--quiet', '--no-edit', 'branch');
    expect(emulatorChanged(repository)).toBe(true);
  });

  test.each([
    ['edited', () => write('rig/eventstoredb/server.ts', '2')],
    ['deleted', () => rmSync(join(repository, 'rig/eventstoredb/server.ts'))],
    ['new', () => write('rig/eventstoredb/other.ts', '1')],
  ])('when a file is %s and not committed', (_, change) => {
    commit();
    change();
    expect(emulatorChanged(repository)).toBe(true);
  });

  test('in the first commit', () => expect(emulatorChanged(repository)).toBe(true));

  test('in a shallow clone', () => {
    commit();
    git('clone', '--quiet', '--depth', '1', `file://${repository}`, 'shallow');
    expect(emulatorChanged(join(repository, 'shallow'))).toBe(true);
  });

  test('outside a repository', () => expect(emulatorChanged(folder)).toBe(true));
});

describe('the specs that a run of Jest selects', () => {
  function listed(tests: string | undefined): string[] {
    const jest = [join(root, 'node_modules/jest/bin/jest.js'), '--listTests'];
    const { TESTS: _, ...env } = process.env;
    const { stdout } = spawnSync(process.execPath, jest, { cwd: root, encoding: 'utf8', env: tests ? { ...env, TESTS: tests } : env });
    return stdout
      .trim()
      .split('\n')
      .map((path) => relative(root, path))
      .sort();
  }
  const all = listed(undefined);

  test('include those of the emulator by default', () => expect(all).toEqual(expect.arrayContaining(emulatorSpecs())));

  test('are all but those of the emulator for the product', () => {
    expect(emulatorSpecs()).toContain('rig/eventstoredb/src/probes.int.spec.ts');
    expect([...listed('product'), ...emulatorSpecs()].sort()).toEqual(all);
  });

  test('include those of the emulator for long tests', () => {
    const long = listed('long');
    expect(long).toEqual(expect.arrayContaining(emulatorSpecs()));
    const others = long.filter((path) => !emulatorSpecs().includes(path));
    expect(others.filter((path) => !path.endsWith('.long.spec.ts'))).toEqual([]);
  });
});
