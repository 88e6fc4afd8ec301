import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { charts, services, umbrella } from '../../helm/tools/charts.mjs';
import { root } from '../setup.mjs';
import { releasedProjects } from './projects.mjs';

const projects = releasedProjects(root);
const named = (name: string) => {
  const found = projects.find((project) => project.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};
const concerned = (...files: string[]): string[] => projects.filter(({ concernedBy }) => concernedBy(files)).map(({ name }) => name);
const chartsOf = (names: string[]): string[] => names.map((name) => `${name}-chart`);

test('every service and every chart is released, and the library chart with those that have it in them', () => {
  expect(projects.map(({ name }) => name).sort()).toEqual([...services, ...chartsOf(charts)].sort());
});

test('a release of a service makes one of its chart, that of a chart one of the umbrella', () => {
  for (const service of services) expect(named(`${service}-chart`).uses).toEqual([service]);
  expect(named(`${umbrella}-chart`).uses).toEqual(chartsOf(services));
});

test('manifests say the same: the version of a chart’s service, and of the umbrella’s charts', () => {
  const manifest = (chart: string) => parse(readFileSync(join(root, named(`${chart}-chart`).root, 'Chart.yaml'), 'utf8'));
  for (const service of services) expect(manifest(service).appVersion).toBe(named(service).version);
  const inUmbrella = (manifest(umbrella).dependencies as { name: string; version: string }[]).filter(({ name }) => services.includes(name));
  expect(inUmbrella.map(({ name, version }) => [name, version])).toEqual(services.map((name) => [name, named(`${name}-chart`).version]));
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const service of services) expect(lock.packages[named(service).root].version).toBe(named(service).version);
});

test.each([
  ['a service', ['services/gateway/src/edge/use-edge.ts', 'README.md'], ['gateway']],
  ['a library that all use', ['libs/kernel/src/clock.ts'], services],
  ['the pages that a service serves', ['services/dashboard/src/app/app.tsx'], ['gateway']],
  ['a library of those pages', ['libs/client/src/console.ts'], ['gateway']],
  ['a library of tests', ['libs/testkit/src/index.ts'], []],
  ['an emulator', ['rig/eventstoredb/src/main.ts'], []],
  ['a test of the system', ['tests/e2e/testing/tour.ts'], []],
  ['what every image is built by', ['Dockerfile'], services],
  ['the compiler', ['tools/compile.mjs'], services],
  ['a package of one service', ['services/gateway/package.json', 'package-lock.json'], ['gateway']],
  ['a package that no manifest names', ['package-lock.json'], services],
  [
    'tests, notes and fixtures',
    ['services/gateway/src/a.spec.ts', 'libs/kernel/src/testing/a.ts', 'services/gateway/decisions/a.md', 'helm/gateway/README.md'],
    [],
  ],
  ['one chart', ['helm/gateway/templates/service.yaml'], chartsOf(['gateway'])],
  ['the library chart', ['helm/service-library/templates/_service.tpl'], chartsOf(charts)],
  ['the one process', ['services/standalone/src/main.ts'], chartsOf([umbrella])],
  ['its chart', ['deploy/one-process/templates/deployment.yaml', 'deploy/one-process/chart.charts.spec.ts'], chartsOf([umbrella])],
  ['a test of its chart', ['deploy/one-process/chart.charts.spec.ts'], []],
])('a change of %s', (_what, files, expected) => {
  expect(concerned(...files).sort()).toEqual([...expected].sort());
});
