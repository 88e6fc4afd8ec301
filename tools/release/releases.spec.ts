import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { changesIn, changesInHistory, lostReleases } from './frozen-releases.mjs';
import { git } from './history.mjs';
import { releasedProjects } from './projects.mjs';
import { addRelease, releasesOf } from './releases.mjs';
import { AFTER, BEFORE } from './upgrade-notes.mjs';

test('what was released is as it was; a new release is a new folder', () => {
  expect(changesIn(root)).toEqual([]);
});

test('no commit changes what was released', () => {
  expect(changesInHistory(root)).toEqual([]);
});

test('the commit of every release is in the history, if that is here', () => {
  expect(lostReleases(root)).toEqual([]);
});

test('each release but the first says what to know before an upgrade, and what a rollback means', () => {
  const silent = releasedProjects(root).flatMap(({ name, root: folder }) => {
    const entries = readFileSync(join(root, folder, 'CHANGELOG.md'), 'utf8').split(/^## /m);
    return releasesOf(root, name)
      .slice(0, -1)
      .map(({ version }) => ({ version, entry: entries.find((text) => text.startsWith(`${version} `)) ?? '' }))
      .filter(({ entry }) => ![BEFORE, AFTER].every((title) => entry.includes(`### ${title}\n`)))
      .map(({ version }) => `${name} ${version}`);
  });
  expect(silent).toEqual([]);
});

describe('a folder of a release', () => {
  let folder: string;
  const commit = 'a'.repeat(40);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-releases-'));
    addRelease(folder, { project: 'gateway', version: '0.9.0', commit }, (to) => {
      writeFileSync(join(to, 'openapi.json'), '{}');
      mkdirSync(join(to, 'golden/public'), { recursive: true });
      writeFileSync(join(to, 'golden/public/a.json'), '{}');
    });
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const released = (path: string): string => join(folder, 'releases/gateway/0.9.0', path);

  test('says what was released from which commit', () => {
    expect(releasesOf(folder, 'gateway')).toEqual([
      {
        project: 'gateway',
        version: '0.9.0',
        commit,
        files: { 'golden/public/a.json': expect.stringMatching(/^[0-9a-f]{64}$/), 'openapi.json': expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    ]);
    expect(releasesOf(folder, 'reporting')).toEqual([]);
  });

  test('is made once', () => {
    expect(() => addRelease(folder, { project: 'gateway', version: '0.9.0', commit }, () => {})).toThrow('is not released again');
  });

  test('comes before those of older versions', () => {
    for (const version of ['0.10.0', '0.8.1']) addRelease(folder, { project: 'gateway', version, commit }, () => {});
    expect(releasesOf(folder, 'gateway').map(({ version }) => version)).toEqual(['0.10.0', '0.9.0', '0.8.1']);
  });

  test.each([
    ['a changed file', () => writeFileSync(released('openapi.json'), '{ }'), 'openapi.json was changed'],
    ['a file that is gone', () => rmSync(released('golden/public/a.json')), 'golden/public/a.json is gone'],
    ['another file', () => writeFileSync(released('golden/public/b.json'), '{}'), 'golden/public/b.json was added'],
  ])('is refused with %s', (_what, change, problem) => {
    change();
    expect(changesIn(folder)).toEqual([`releases/gateway/0.9.0/${problem} after the release`]);
  });

  test('is refused with a commit that changes it, also together with its digests, or that removes it', () => {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    const commitAll = (message: string): string => {
      git(folder, 'add', '--all');
      git(folder, ...identity, 'commit', '--quiet', '--message', message);
      return git(folder, 'rev-parse', '--short', 'HEAD').trim();
    };
    git(folder, 'init', '--quiet');
    commitAll('chore(release): gateway@0.9.0');
    expect(changesInHistory(folder)).toEqual([]);
    expect(lostReleases(folder)).toEqual([expect.stringMatching(/^gateway 0\.9\.0 names a{40}, which is not in the history/)]);
    writeFileSync(released('release.json'), '{"files":{}}');
    const changed = commitAll('changed');
    rmSync(join(folder, 'releases'), { recursive: true });
    const removed = commitAll('removed');
    expect(changesInHistory(folder)).toEqual([expect.stringContaining(removed), expect.stringContaining(changed)]);
  });
});
