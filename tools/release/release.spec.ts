import { scratchRepository, type Scratch } from './testing/scratch.ts';

let scratch: Scratch;
beforeAll(() => {
  scratch = scratchRepository();
  scratch.release();
});
afterAll(() => scratch.remove());

const chartOf = (name: string): string => scratch.read(`helm/${name}/Chart.yaml`);

// In this order, each after the release of the one before.
test('the first release has the versions of the manifests', () => {
  const names = ['alpha', 'alpha-chart', 'beta', 'beta-chart', 'gamma', 'gamma-chart', 'platform-chart'];
  expect(scratch.released()).toEqual(names.map((name) => `${name}@0.1.0`).sort());
  const parent = scratch.git('rev-parse', 'HEAD~1').trim();
  for (const project of names)
    expect(JSON.parse(scratch.read(`releases/${project}/0.1.0/release.json`))).toMatchObject({ project, version: '0.1.0', commit: parent });
});

test('a change that no commit has refuses a release', () => {
  scratch.write('services/alpha/src/index.ts', 'export const changed = 1;\n');
  expect(() => scratch.release()).toThrow('services/alpha/src/index.ts');
  scratch.git('checkout', '--quiet', '.');
});

test('a change in one service releases it, its chart and the umbrella, also where no tag is', () => {
  scratch.git('tag', '--delete', ...scratch.released());
  scratch.change('services/alpha/src/rounding.ts', 'fix(alpha): totals are rounded once');
  expect(scratch.release('--dry-run')).toContain('alpha 0.1.0 → 0.1.1\n    **alpha:** totals are rounded once');
  expect([scratch.released(), scratch.git('status', '--porcelain')]).toEqual([[], '']);

  scratch.release();
  expect(scratch.released()).toEqual(['alpha-chart@0.1.1', 'alpha@0.1.1', 'platform-chart@0.1.1']);
  expect(scratch.git('log', '-1', '--format=%s').trim()).toBe('chore(release): alpha@0.1.1, alpha-chart@0.1.1, platform-chart@0.1.1');
  expect(scratch.git('status', '--porcelain')).toBe('');
  expect(JSON.parse(scratch.read('services/alpha/package.json')).version).toBe('0.1.1');
  expect(JSON.parse(scratch.read('package-lock.json')).packages['services/alpha'].version).toBe('0.1.1');
  expect(chartOf('alpha')).toContain("version: 0.1.1\nappVersion: 0.1.1\nkubeVersion: '>=1.31.0-0'\n");
  expect(chartOf('platform')).toContain('- name: alpha\n    version: 0.1.1\n');
  expect(chartOf('platform')).toContain('- name: beta\n    version: 0.1.0\n');
  expect(scratch.read('services/alpha/CHANGELOG.md')).toMatch(/^## 0\.1\.1 .*\n\n### Fixed\n\n- \*\*alpha:\*\* totals are rounded once\n/);
  expect(scratch.read('helm/alpha/CHANGELOG.md')).toContain('- Updated alpha to 0.1.1');
});

test('a change in a library releases the services that use it, with its line in their changelogs', () => {
  scratch.change('libs/deep/src/money.ts', 'feat(deep): money has a currency');
  scratch.release();
  expect(scratch.released()).toEqual(['alpha-chart@0.1.2', 'alpha@0.1.2', 'beta-chart@0.1.1', 'beta@0.1.1', 'platform-chart@0.1.2']);
  for (const service of ['alpha', 'beta'])
    expect(scratch.read(`services/${service}/CHANGELOG.md`)).toContain('- **deep:** money has a currency\n');
  expect(chartOf('alpha')).toContain('version: 0.1.2\nappVersion: 0.1.2\n');
});

test('a change in a chart releases it and the umbrella, with the service as it was', () => {
  scratch.change('helm/gamma/templates/deployment.yaml', 'fix(gamma-chart): pods have a security context');
  scratch.release();
  expect(scratch.released()).toEqual(['gamma-chart@0.1.1', 'platform-chart@0.1.3']);
  expect(chartOf('gamma')).toContain('version: 0.1.1\nappVersion: 0.1.0\n');
});

test('a breaking change makes the next minor version while the major one is 0, of what it changes alone', () => {
  scratch.change('services/gamma/src/route.ts', 'feat(gamma)!: a route is gone');
  scratch.release();
  expect(scratch.released()).toEqual(['gamma-chart@0.1.2', 'gamma@0.2.0', 'platform-chart@0.1.4']);
  expect(chartOf('gamma')).toContain('version: 0.1.2\nappVersion: 0.2.0\n');
  expect(scratch.read('services/gamma/CHANGELOG.md')).toContain('Breaking Changes');
});

test('documentation and tests release nothing', () => {
  scratch.change('services/alpha/README.md', 'docs(alpha): what it is');
  scratch.change('services/alpha/src/rounding.spec.ts', 'test(alpha): rounding');
  // What is in no image does not count, whatever its message says.
  scratch.change('libs/shared/src/testing/fixture.ts', 'fix(shared): the fixture of tests');
  scratch.change('services/alpha/src/rounding.ts', 'refactor(alpha): shorter');
  expect(scratch.release()).toContain('Nothing to release');
});

test('a team releases its service without the changes of others', () => {
  scratch.change('services/alpha/src/a.ts', 'feat(alpha): a');
  scratch.change('services/beta/src/b.ts', 'feat(beta): b');
  scratch.release('beta');
  expect(scratch.released()).toEqual(['beta-chart@0.1.2', 'beta@0.1.2', 'platform-chart@0.1.5']);
  expect(() => scratch.release('delta')).toThrow('no such project: delta; there are: alpha');
});

test('the umbrella has what is released of its charts, and not what is not released yet', () => {
  scratch.change('helm/gamma/values.yaml', 'feat(gamma-chart)!: values.ingress is renamed');
  scratch.change('services/alpha/src/c.ts', 'fix(alpha): c');
  scratch.release('alpha');
  expect(scratch.released()).toEqual(['alpha-chart@0.1.3', 'alpha@0.1.3', 'platform-chart@0.1.6']);
  expect(scratch.read('helm/platform/CHANGELOG.md')).not.toContain('values.ingress is renamed');
  scratch.release('gamma-chart');
  expect(scratch.released()).toEqual(['gamma-chart@0.2.0', 'platform-chart@0.2.0']);
  expect(scratch.read('helm/platform/CHANGELOG.md')).toContain('values.ingress is renamed');
});
