import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { charts, packageCharts, services } from '../tools/charts.mjs';
import { helmProgram } from '../tools/helm.mjs';
import { manifestOf } from '../testing/services.ts';
import { chartsFolder } from '../tools/values/documented-values.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-dependencies-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Helm without any network that it could use. */
const helmAlone = (...args: string[]) =>
  spawnSync(helmProgram(), args, {
    cwd: folder,
    encoding: 'utf8',
    env: { HOME: folder, HTTPS_PROXY: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9' },
  });

test('helm dependency build finds every dependency in the sources', () => {
  cpSync(chartsFolder, folder, { recursive: true });
  // The services come before the umbrella, which packs them as they are.
  for (const chart of charts as string[]) expect(helmAlone('dependency', 'build', chart)).toMatchObject({ status: 0 });
  expect(readdirSync(join(folder, 'invoicing-platform', 'charts'))).toHaveLength(services.length + 1);
  expect(helmAlone('template', 'x', 'authority-simulator')).toMatchObject({ status: 0 });
});

test('npm run charts packages every chart, each to be installed by its file', () => {
  packageCharts(join(folder, 'charts'));
  expect(readdirSync(join(folder, 'charts')).sort()).toEqual(
    (charts as string[]).map((chart) => `${chart}-${manifestOf(chart).version}.tgz`).sort(),
  );
  const { status, stdout } = helmAlone('template', 'x', `charts/authority-simulator-${manifestOf('authority-simulator').version}.tgz`);
  expect([status, stdout.includes('kind: Deployment')]).toEqual([0, true]);
});
