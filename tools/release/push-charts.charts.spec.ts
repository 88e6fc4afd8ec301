import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { charts, services, umbrella } from '../../helm/tools/charts.mjs';
import { helmProgram } from '../../helm/tools/helm.mjs';
import { root } from '../setup.mjs';
import { ONE_PROCESS } from './released-charts.mjs';
import { addRelease } from './releases.mjs';
import { startRegistry, type Registry } from './testing/registry.ts';

const VERSION = '0.1.0';
let registry: Registry;
let work: string;
/** A repository with this one's charts, all released in this version. */
let repository: string;

function run(command: string, args: string[], cwd: string, env = {}): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}
const git = (...args: string[]): string => run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], repository);
const commitAll = (message: string): void => {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
};
const push = (path: string, from = repository): string =>
  run(process.execPath, ['tools/release/push-charts.mjs'], from, { OCI_REGISTRY: `http://${registry.host}/${path}` });
/** With that of the one process, which is released with the umbrella. */
const pushed = [...charts, ONE_PROCESS.chart];
const digests = async (path: string): Promise<(string | null)[]> =>
  Promise.all(pushed.map((chart) => registry.digest(`${path}/${chart}`, VERSION)));
const helm = (...args: string[]): string => run(helmProgram(), args, work);

beforeAll(async () => {
  registry = await startRegistry();
  work = mkdtempSync(join(tmpdir(), 'svc-push-charts-'));
  repository = join(work, 'repository');
  mkdirSync(repository);
  for (const path of ['helm', 'deploy/one-process', 'tools/setup.mjs', 'tools/release'])
    cpSync(join(root, path), join(repository, path), { recursive: true });
  for (const folder of [...charts.map((chart) => `helm/${chart}`), 'deploy/one-process']) {
    const path = join(repository, folder, 'Chart.yaml');
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/^( *)(version|appVersion): \d.*$/gm, `$1$2: ${VERSION}`));
  }
  symlinkSync(join(root, 'node_modules'), join(repository, 'node_modules'));
  git('init', '--quiet', '--initial-branch=main');
  commitAll('feat: charts');
  const commit = git('rev-parse', 'HEAD').trim();
  for (const chart of charts) addRelease(repository, { project: `${chart}-chart`, version: VERSION, commit }, () => {});
  commitAll('chore(release): charts');
});
afterAll(async () => {
  await registry.stop();
  rmSync(work, { recursive: true });
});

test('pushes every chart, each to be pulled and rendered', async () => {
  const said = push('one');
  const all = await digests('one');
  expect(all).toEqual(pushed.map(() => expect.stringMatching(/^sha256:[0-9a-f]{64}$/)));
  for (const [n, chart] of pushed.entries()) expect(said).toContain(`${chart} ${VERSION} ${all[n]} pushed`);

  const pull = (chart: string): void => {
    const pulled = helm('pull', `oci://${registry.host}/one/${chart}`, '--plain-http', '--version', VERSION, '--destination', work);
    expect(pulled).toContain(all[pushed.indexOf(chart)]);
  };
  pull(umbrella);
  expect(helm('show', 'all', join(work, `${umbrella}-${VERSION}.tgz`))).toContain(services.at(-1));
  pull(ONE_PROCESS.chart);
  const archive = join(work, `${ONE_PROCESS.chart}-${VERSION}.tgz`);
  expect(run('tar', ['-tf', archive], work)).not.toContain('.spec.ts');
  const rendered = helm('template', 'billing', archive, '--set', 'publicUrl=https://api.example.com');
  expect(rendered).toContain(`image: invoicing-platform/${ONE_PROCESS.image}:${VERSION}\n`);
});

test('a second push changes nothing, also after changes that were not released', async () => {
  const before = await digests('one');
  appendFileSync(join(repository, 'helm/gateway/values.yaml'), '\n# changed\n');
  appendFileSync(join(repository, 'helm/service-library/templates/_service.tpl'), '{{/* changed */}}\n');
  commitAll('fix: changed');
  expect(push('one').match(/was there already/g)).toHaveLength(pushed.length);
  expect(await digests('one')).toEqual(before);
});

test('another clone pushes the same digests to another registry', async () => {
  const clone = join(work, 'clone');
  git('clone', '--quiet', '.', clone);
  push('two', clone);
  expect(await digests('two')).toEqual(await digests('one'));
});

test('refuses to replace a version that has other files', async () => {
  const other = join(work, 'gateway');
  cpSync(join(root, 'helm/authority-simulator'), other, { recursive: true });
  writeFileSync(join(other, 'Chart.yaml'), `apiVersion: v2\nname: gateway\nversion: ${VERSION}\n`);
  helm('package', other);
  helm('push', `gateway-${VERSION}.tgz`, `oci://${registry.host}/three`, '--plain-http');
  const before = await digests('three');
  expect(() => push('three')).toThrow(`gateway has another ${VERSION} than releases/ says`);
  expect(await digests('three')).toEqual(before);
});

test('refuses without a registry, and says when one cannot be reached', () => {
  const start = (OCI_REGISTRY: string) => () => run(process.execPath, ['tools/release/push-charts.mjs'], repository, { OCI_REGISTRY });
  expect(start('')).toThrow('OCI_REGISTRY names the registry');
  expect(start('http://localhost:1/charts')).toThrow('refused');
});
