// npm run charts [-- FOLDER]: packages every chart with the charts that it depends on into FOLDER (dist/charts), without any network.
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
  for (const chart of charts) assembleChart(chart, source, join(folder, chart), () => source);
}

/** Makes the folder of a chart, from the folder `from` of all charts. `folderOf`: the one from which a version of a chart in it is taken. */
export function assembleChart(chart, from, into, folderOf) {
  const filter = (path) => !/\/(charts|Chart\.lock|project\.json|.*\.spec\.ts)$/.test(path);
  cpSync(join(from, chart), into, { recursive: true, filter });
  const { dependencies = [] } = parse(readFileSync(join(from, chart, 'Chart.yaml'), 'utf8'));
  for (const { name, version } of dependencies)
    assembleChart(name, services.includes(name) ? folderOf(name, version) : from, join(into, 'charts', name), folderOf);
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
