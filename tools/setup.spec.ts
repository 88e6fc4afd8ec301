import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@svc/testkit';

/** Sets up a clone with an npm that runs this script. */
function setUp(npm: string): { code: number | null; output: string } {
  const clone = mkdtempSync(join(tmpdir(), 'svc-setup-'));
  for (const folder of ['bin', 'tools']) mkdirSync(join(clone, folder));
  copyFileSync(join(root, 'tools/setup.mjs'), join(clone, 'tools/setup.mjs'));
  writeFileSync(join(clone, 'package-lock.json'), '{}');
  writeFileSync(join(clone, 'bin/npm'), `#!/bin/sh\n${npm}\n`);
  chmodSync(join(clone, 'bin/npm'), 0o755);
  const run = spawnSync(process.execPath, ['-e', `import('${join(clone, 'tools/setup.mjs')}').then(({ setup }) => setup())`], {
    encoding: 'utf8',
    env: { PATH: `${join(clone, 'bin')}:${process.env['PATH']}` },
  });
  rmSync(clone, { recursive: true });
  return { code: run.status, output: run.stdout + run.stderr };
}

describe('the first start', () => {
  test('prints that it installs, without the warnings of npm', () => {
    const { code, output } = setUp('echo "npm warn deprecated glob@7.2.3" >&2; echo "added 900 packages"');
    expect([code, output]).toEqual([0, 'installing packages (npm ci) …\n']);
  });

  test('prints the output of npm when npm fails', () => {
    const { code, output } = setUp('echo "npm warn deprecated glob@7.2.3" >&2; echo "npm error code E404" >&2; echo told; exit 3');
    expect(code).toBe(3);
    for (const line of ['npm warn deprecated', 'npm error code E404', 'told', 'npm ci failed']) expect(output).toContain(line);
  });

  test('reports an npm that cannot be run', () => {
    const { code, output } = setUp('rm "$0"; exec /nowhere/at/all');
    expect([code !== 0, output.includes('npm ci failed')]).toEqual([true, true]);
  });
});
