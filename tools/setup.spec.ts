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

/** Sets up the clone with an npm that writes its arguments, then runs this script. Seconds are omitted from the output. `version`: that of the machine's Node. */
function setUp(name: 'setup' | 'setupProduct', npm = '', version = process.versions.node, node = process.execPath) {
  const calls = join(clone, 'calls');
  writeFileSync(join(clone, 'bin/npm'), `#!/bin/sh\necho "$@" >> ${calls}\n${npm}\n`);
  chmodSync(join(clone, 'bin/npm'), 0o755);
  const machine = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const program = `${machine}; import('${join(clone, 'tools/setup.mjs')}').then((it) => it.${name}()).then(({ node24 }) => console.log(node24))`;
  const run = spawnSync(node, ['-e', program], {
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
/** What npm makes of a Node 24. */
const NODE_24 = `case "$PWD" in
  *node24) mkdir -p node_modules/node/node_modules/node-bin/include node_modules/node/node_modules/node-bin/bin ;;
esac`;

describe('the first start', () => {
  test.each(['18.0.0', '20.20.2', '24.10.0', '25.1.0'])(
    'with Node %s installs a Node 24 beside the packages, without its headers',
    (version) => {
      const { code, calls, progress, node24 } = setUp('setupProduct', NODE_24, version);
      expect([code, node24]).toEqual([0, join(clone, 'tools/node24/node_modules/.bin/node')]);
      expect(calls.sort()).toEqual([`ci ${QUIET}`, `ci --omit=dev ${QUIET}`].sort());
      expect(progress.split('\n').sort()).toEqual(
        ['', 'installed Node 24 in N s', 'installed packages in N s', 'installing Node 24 …', 'installing packages …'].sort(),
      );
      const packaged = join(clone, 'tools/node24/node_modules/node/node_modules/node-bin');
      expect([existsSync(join(packaged, 'include')), existsSync(join(packaged, 'bin'))]).toEqual([false, true]);
    },
  );

  test('fails when either installation fails, once both have ended', () => {
    const npm = 'case "$PWD" in *node24) exit 4 ;; *) sleep 0.3; echo ended >> calls-ended ;; esac';
    const { code, output } = setUp('setupProduct', npm, '20.20.2');
    expect([code, existsSync(join(clone, 'calls-ended')), output.includes('npm ci failed')]).toEqual([4, true, true]);
  });

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

test('a Node 24 that lies among the packages, which are installed anew, is not taken for the machine’s', () => {
  const node = join(clone, 'node_modules/node/bin/node');
  mkdirSync(dirname(node), { recursive: true });
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);
  const { calls, node24 } = setUp('setupProduct', NODE_24, process.versions.node, node);
  expect([calls.sort(), node24]).toEqual([[`ci ${QUIET}`, `ci --omit=dev ${QUIET}`], join(clone, 'tools/node24/node_modules/.bin/node')]);
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
  for (const name of ['setup', 'setupProduct'] as const) {
    // A start leaves those for development, which tests may be using.
    expect(setUp(name).calls).toEqual([`ci ${QUIET}`]);
    rmSync(join(clone, 'calls'));
  }
  rmSync(join(clone, 'node_modules/.package-lock.json'));
  expect(setUp('setupProduct').calls).toEqual([`ci --omit=dev ${QUIET}`]);
});
