// node charts.mjs [FOLDER]: packages every chart with the charts that it depends on into FOLDER (dist/charts), without any network.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { helmProgram } from './helm.mjs';

const source = join(import.meta.dirname, '..');
export const services = ['gateway', 'invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting', 'authority-simulator'];
export const umbrella = 'invoicing-platform';
export const charts = [...services, umbrella];

/** The charts as folders, each with its dependencies in it. */
export function assembleCharts(folder) {
  for (const chart of charts) assemble(chart, join(folder, chart));
}

function assemble(chart, into) {
  cpSync(join(source, chart), into, { recursive: true, filter: (path) => !/\/(charts|Chart\.lock|.*\.spec\.ts)$/.test(path) });
  const { dependencies = [] } = parse(readFileSync(join(source, chart, 'Chart.yaml'), 'utf8'));
  for (const { name } of dependencies) assemble(name, join(into, 'charts', name));
}

export function packageCharts(folder) {
  const work = mkdtempSync(join(tmpdir(), 'svc-charts-'));
  try {
    assembleCharts(work);
    rmSync(folder, { recursive: true, force: true });
    const args = ['package', '--destination', folder, ...charts.map((chart) => join(work, chart))];
    const { status, stderr } = spawnSync(helmProgram(), args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  } finally {
    rmSync(work, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const folder = resolve(process.argv[2] ?? join(source, '..', 'dist', 'charts'));
  packageCharts(folder);
  console.log(folder);
}
