import { entriesOf } from './entries.mjs';

const projects = ['alpha', 'beta'].map((name) => ({
  ...{ name, kind: 'service' as const, root: `services/${name}`, version: '0.1.0', uses: [] },
  concernedBy: (files: string[]) => files.some((file) => file.startsWith(`services/${name}/`)),
}));
const commit = (hash: string, message: string, ...services: string[]) => ({
  ...{ hash, message, files: services.map((name) => `services/${name}/src/index.ts`) },
  ...{ added: [] as string[], moved: [] as [string, string][] },
});
/** The lines of alpha. Newest first. */
const linesOf = (commits: ReturnType<typeof commit>[], wordings = {}) =>
  entriesOf({ projects, chosen: ['alpha', 'beta'], rangeOf: () => commits, wordings })['alpha']?.lines;

test('a change that came by two branches, under two ids, stands once with its project, and is counted once elsewhere', () => {
  const commits = ['c2', 'c1'].map((hash) => commit(hash, 'fix(alpha): totals are rounded once', 'alpha', 'beta'));
  const entries = entriesOf({ projects, chosen: ['alpha', 'beta'], rangeOf: () => commits });
  expect(entries).toEqual({
    alpha: { lines: { fix: ['totals are rounded once'] }, elsewhere: {} },
    beta: { lines: {}, elsewhere: { alpha: 1 } },
  });
});

test('what mends a feature that no release has had stands nowhere, also after its files are moved; what mends a file of the release does', () => {
  const [early, late, kept] = ['early', 'late', 'index'].map((name) => `services/alpha/src/${name}.ts`) as [string, string, string];
  const commits = [
    { ...commit('c5', 'fix: the release waits'), files: [kept, late] },
    { ...commit('c4', 'fix: exports end'), files: [late] },
    { ...commit('c3', 'refactor: a better name'), files: [early, late], moved: [[early, late]] as [string, string][] },
    { ...commit('c2', 'perf: exports are read once'), files: [early, 'services/alpha/src/early.unit.spec.ts'] },
    { ...commit('c1', 'feat: exports'), files: [early], added: [early] },
  ];
  expect(linesOf(commits)).toEqual({ fix: ['the release waits'], feat: ['exports'] });
});

test('what takes back a commit that it does not name, and what is for developers, stands nowhere; what breaks something does', () => {
  const commits = [
    commit('c4', 'revert: exports', 'alpha'),
    commit('c3', 'revert: imports\n\nThis reverts commit 0123abc.', 'alpha'),
    commit('c2', 'fix(bench): a figure more', 'alpha'),
    commit('c1', 'fix(tools)!: a setting is gone', 'alpha'),
  ];
  expect(linesOf(commits)).toEqual({ revert: ['imports'], breaking: ['**tools:** a setting is gone'] });
});

test('other words stand in place of a subject, and none of them for no line', () => {
  const commits = [commit('c2', 'fix: a thing', 'alpha'), commit('c1', 'fix: rows are walked by index', 'alpha')];
  expect(linesOf(commits, { 'a thing': 'lists end', 'rows are walked by index': '' })).toEqual({ fix: ['lists end'] });
});
