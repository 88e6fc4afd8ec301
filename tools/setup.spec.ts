import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '@svc/testkit';

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'svc-setup-'));
  for (const folder of ['bin', 'tools/node24']) mkdirSync(join(clone, folder), { recursive: true });
  copyFileSync(join(root, 'tools/setup.mjs'), join(clone, 'tools/setup.mjs'));
  for (const folder of ['.', 'tools/node24']) writeFileSync(join(clone, folder, 'package-lock.json'), '{}');
});
afterEach(() => rmSync(clone, { recursive: true }));

/** What npm leaves at the end of an installation. */
function installed(packages: string[], folder = '.'): void {
  mkdirSync(join(clone, folder, 'node_modules'), { recursive: true });
  const content = JSON.stringify({ packages: Object.fromEntries(packages.map((name) => [`node_modules/${name}`, {}])) });
  writeFileSync(join(clone, folder, 'node_modules/.package-lock.json'), content);
}

/** Sets up the clone with an npm that writes its arguments, then runs this script. Seconds are left out of the output. */
function setUp(name: 'setup' | 'setupProduct', npm = '') {
  const calls = join(clone, 'calls');
  writeFileSync(join(clone, 'bin/npm'), `#!/bin/sh\necho "$@" >> ${calls}\n${npm}\n`);
  chmodSync(join(clone, 'bin/npm'), 0o755);
  const program = `import('${join(clone, 'tools/setup.mjs')}').then((it) => it.${name}()).then(({ node24 }) => console.log(node24))`;
  const run = spawnSync(process.execPath, ['-e', program], {
    encoding: 'utf8',
    env: { PATH: `${join(clone, 'bin')}:${dirname(process.execPath)}:${process.env['PATH']}` },
  });
  return {
    code: run.status,
    node24: run.stdout.trim(),
    output: run.stdout + run.stderr,
    progress: run.stderr.replaceAll(/\d+ s/g, 'N s'),
    calls: existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [],
  };
}

const QUIET = '--no-audit --no-fund';

describe('the first start', () => {
  test('installs what the product runs on, says so, and takes the machine’s Node 24', () => {
    const { code, calls, progress, node24 } = setUp('setupProduct', 'echo "npm warn deprecated glob@7.2.3" >&2; echo "added 900 packages"');
    expect([code, progress]).toEqual([0, 'installing packages …\ninstalled packages in N s\n']);
    expect([calls, node24]).toEqual([[`ci --omit=dev ${QUIET}`], process.execPath]);
  });

  test('prints the output of npm when npm fails', () => {
    const { code, output } = setUp(
      'setupProduct',
      'echo "npm warn deprecated glob@7.2.3" >&2; echo "npm error code E404" >&2; echo printed; exit 3',
    );
    expect(code).toBe(3);
    for (const line of ['npm warn deprecated', 'npm error code E404', 'printed', 'npm ci --omit=dev failed'])
      expect(output).toContain(line);
  });

  test('reports an npm that cannot be run', () => {
    const { code, output } = setUp('setupProduct', 'rm "$0"; exec /nowhere/at/all');
    expect([code !== 0, output.includes('failed: see above')]).toEqual([true, true]);
  });
});

test('a start on what is installed calls no npm, whether it is all or only what the product runs on', () => {
  installed(['fastify']);
  expect(setUp('setupProduct')).toMatchObject({ code: 0, calls: [], node24: process.execPath });
  installed(['fastify', 'jest']);
  expect(setUp('setupProduct')).toMatchObject({ code: 0, calls: [], node24: join(clone, 'node_modules/.bin/node') });
});

test('a command for development completes what a start has installed, and leaves what is there', () => {
  installed(['fastify']);
  const { code, calls, node24 } = setUp('setup');
  expect([code, calls, node24]).toEqual([0, [`install --no-save --include=dev ${QUIET}`], join(clone, 'node_modules/.bin/node')]);
  installed(['fastify', 'jest']);
  expect(setUp('setup').calls).toEqual(calls);
});

test('packages that are older than the lock file, or of an installation that was ended, are installed again', () => {
  installed(['fastify', 'jest']);
  const later = Date.now() / 1000 + 10;
  spawnSync('touch', ['-d', `@${later}`, join(clone, 'package-lock.json')]);
  expect(setUp('setup').calls).toEqual([`ci ${QUIET}`]);
  rmSync(join(clone, 'calls'));
  rmSync(join(clone, 'node_modules/.package-lock.json'));
  expect(setUp('setupProduct').calls).toEqual([`ci --omit=dev ${QUIET}`]);
});
