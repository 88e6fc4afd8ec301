import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastReleases } from './release-commit.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-releases-'));
const origin = join(folder, 'origin');
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x.example', ...args], { cwd, encoding: 'utf8' }).trim();

/** Ids of three commits. */
const commits: string[] = [];
function release(project: string, version: string, commit: string): void {
  const path = join(origin, 'releases', project, version);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'release.json'), JSON.stringify({ project, version, commit }));
}

beforeAll(() => {
  mkdirSync(origin);
  git(origin, 'init', '--quiet');
  for (const name of ['one', 'two', 'three']) {
    git(origin, 'commit', '--quiet', '--allow-empty', '-m', name);
    commits.push(git(origin, 'rev-parse', 'HEAD'));
  }
  release('gateway', '1.9.0', commits[0] as string);
  release('gateway', '1.10.0', commits[1] as string);
  release('reporting', '0.1.0', commits[0] as string);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('each service has the commit of its highest version', () =>
  expect([...lastReleases(['gateway', 'reporting'], { folder: origin })]).toEqual([
    ['gateway', commits[1]],
    ['reporting', commits[0]],
  ]));

test('a named commit is that of all services, whatever was released', () =>
  expect([...lastReleases(['gateway', 'invoicing'], { folder: origin, from: 'HEAD' })]).toEqual([
    ['gateway', commits[2]],
    ['invoicing', commits[2]],
  ]));

test.each([
  [{ services: ['gateway', 'invoicing'], from: undefined }, /^no release of invoicing in releases\/: .* MIXED_FROM=/],
  [{ services: ['gateway'], from: 'nowhere' }, /^this clone does not have the commit nowhere: is it the name of a commit\?$/],
])('without the commit it says what to do: %j', ({ services, from }, said) =>
  expect(() => lastReleases(services, { folder: origin, from })).toThrow(said),
);

test('in a shallow clone without the commit it names the command that fetches it', () => {
  const shallow = join(folder, 'shallow');
  git(folder, 'clone', '--quiet', '--depth', '1', `file://${origin}`, shallow);
  expect(() => lastReleases(['gateway'], { folder: shallow, from: commits[0] })).toThrow(/it is shallow, run git fetch --unshallow$/);
  expect([...lastReleases(['gateway'], { folder: shallow, from: commits[2] })]).toEqual([['gateway', commits[2]]]);
});
