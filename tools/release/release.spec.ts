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
  expect(scratch.release('--dry-run')).toMatch(/^alpha 0\.1\.0 → 0\.1\.1$/m);
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
  expect(scratch.read('services/alpha/CHANGELOG.md')).toMatch(
    /^## 0\.1\.1 .*\n\n### Before you upgrade\n\n- .*\n\n### After a rollback\n\n- .*\n\n### Fixed\n\n- totals are rounded once\n\n## 0\.1\.0 /,
  );
  expect(scratch.read('helm/alpha/CHANGELOG.md')).toContain('- Updated alpha to 0.1.1');
});

test('a change in a library releases the services that use it, and stands once, in the changelog of the chart of all', () => {
  scratch.change('libs/deep/src/money.ts', 'feat(deep): money has a currency');
  scratch.release();
  expect(scratch.released()).toEqual(['alpha-chart@0.1.2', 'alpha@0.1.2', 'beta-chart@0.1.1', 'beta@0.1.1', 'platform-chart@0.1.2']);
  expect(scratch.read('helm/platform/CHANGELOG.md')).toContain('### Added\n\n- **deep:** money has a currency\n');
  for (const service of ['alpha', 'beta']) {
    expect(scratch.read(`services/${service}/CHANGELOG.md`)).not.toContain('money has a currency');
    expect(scratch.read(`services/${service}/CHANGELOG.md`)).toContain('- 1 change of this project: in that of platform-chart\n');
  }
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
  expect(scratch.read('services/gamma/CHANGELOG.md')).toContain('### Before you upgrade\n\n- a route is gone\n');
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
  expect(scratch.read('helm/gamma/CHANGELOG.md')).toContain('- values.ingress is renamed\n');
});

describe('is refused', () => {
  test('without the gate, and without a run beside the last release of each service, for this commit', () => {
    scratch.change('services/alpha/src/d.ts', 'fix(alpha): d');
    const { gate, mixed } = scratch.passed();
    const all =
      /contract gate has not run for this commit: npm run gate\n- alpha beside its last release has not run .*: npm run test:mixed/;
    expect(() => scratch.releaseWith({}, 'alpha')).toThrow(all);
    expect(scratch.git('status', '--porcelain')).toBe('');
    expect(() => scratch.releaseWith({}, 'alpha', '--dry-run')).toThrow(all);
    const failed = { ...mixed, alpha: { passed: false, from: mixed?.['alpha']?.from ?? '' } };
    expect(() => scratch.releaseWith({ gate: { passed: false, services: {} }, mixed: failed })).toThrow(
      /gate has failed[^]*alpha beside its last release has failed/,
    );
    const other = { ...mixed, alpha: { passed: true, from: 'another' } };
    expect(() => scratch.releaseWith({ ...(gate && { gate }), mixed: other })).toThrow('ran from another');
    expect(() => scratch.releaseWith({ commit: 'another' }, '--dry-run')).toThrow('has the results of another');
  });

  test('while no page says what to do about another default, which raises the second number of a service', () => {
    const table = (value: string) =>
      `# alpha\n\n## Settings\n\n| v | w | d |\n| - | - | - |\n| \`KEEP\` | \`a\` | \`${value}\` | what |${value === '1' ? '' : '\n| `NEW` | `b` | | what |'}\n`;
    scratch.write('helm/alpha/README.md', table('1'));
    scratch.git('add', '--all');
    scratch.git('commit', '--quiet', '--message', 'docs(alpha-chart): settings');
    scratch.release('alpha');
    scratch.write('helm/alpha/README.md', table('2'));
    scratch.change('services/alpha/src/e.ts', 'fix(alpha): e');
    expect(() => scratch.release('alpha', '--dry-run')).toThrow('`KEEP` of alpha is gone or has another default');
    scratch.change('helm/UPGRADING.md', 'docs: set `KEEP` to 1');
    scratch.release('alpha');
    expect(scratch.released()).toEqual(['alpha-chart@0.1.5', 'alpha@0.2.0', 'platform-chart@0.2.2']);
    expect(scratch.read('services/alpha/CHANGELOG.md')).toContain(
      '### Before you upgrade\n\n- With another default: `KEEP` (`1` before, now `2`).\n- New: `NEW`.\n',
    );
  });

  test('in another version than all its changes take', () => {
    scratch.change('services/alpha/src/f.ts', 'feat(alpha)!: f is gone');
    expect(() => scratch.release('0.2.1', '--dry-run')).toThrow('alpha has changes that make it 0.3.0, and 0.2.1 is asked for');
    scratch.release('0.4.0');
    expect(scratch.released()).toEqual(['alpha-chart@0.4.0', 'alpha@0.4.0', 'platform-chart@0.4.0']);
  });
});
