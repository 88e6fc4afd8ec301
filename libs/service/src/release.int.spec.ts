import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { releaseIn, releaseText } from './release.ts';

const COMMIT = 'a'.repeat(40);
let root: string;
let program: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'release-'));
  program = join(root, 'services/some/dist');
  mkdirSync(program, { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"version":"9.9.9"}');
  writeFileSync(join(root, 'services/some/package.json'), '{"version":"1.2.3"}');
});
afterEach(() => rmSync(root, { recursive: true }));

function checkout(files: Record<string, string>): void {
  mkdirSync(join(root, '.git/refs/heads'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, '.git', name), `${text}\n`);
}

test('an image says its release', () => {
  expect(releaseIn(program, { RELEASE_VERSION: '2.0.0', RELEASE_COMMIT: COMMIT })).toEqual({ version: '2.0.0', commit: COMMIT });
});

test.each<[string, Record<string, string>]>([
  ['a branch', { HEAD: 'ref: refs/heads/main', 'refs/heads/main': COMMIT }],
  [
    'a branch that is packed',
    { HEAD: 'ref: refs/heads/main', 'packed-refs': `# pack-refs\n${'b'.repeat(40)} refs/heads/x\n${COMMIT} refs/heads/main` },
  ],
  ['a commit', { HEAD: COMMIT }],
])('a checkout of %s has the version of the program and the commit', (_, files) => {
  checkout(files);
  expect(releaseIn(program, {})).toEqual({ version: '1.2.3', commit: COMMIT });
});

test('an image that was built without its release has the version of the program', () => {
  const release = releaseIn(program, { RELEASE_VERSION: 'unknown', RELEASE_COMMIT: 'unknown' });
  expect(release).toEqual({ version: '1.2.3', commit: 'unknown' });
  expect(releaseText(release)).toBe('1.2.3');
});

test('as text it is a semantic version with the commit', () => {
  expect(releaseText({ version: '1.2.3', commit: '08bdcd3a5f0c' })).toBe('1.2.3+08bdcd3a');
});
