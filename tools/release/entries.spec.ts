import { entriesOf } from './entries.mjs';

const projects = ['alpha', 'beta'].map((name) => ({
  ...{ name, kind: 'service' as const, root: `services/${name}`, version: '0.1.0', uses: [] },
  concernedBy: (files: string[]) => files.some((file) => file.startsWith(`services/${name}/`)),
}));
const commit = (hash: string, message: string, ...services: string[]) => ({
  ...{ hash, message, files: services.map((name) => `services/${name}/src/index.ts`) },
});

test('a change that came by two branches, under two ids, stands once with its project, and is counted once elsewhere', () => {
  const commits = ['c2', 'c1'].map((hash) => commit(hash, 'fix(alpha): totals are rounded once', 'alpha', 'beta'));
  const entries = entriesOf({ projects, chosen: ['alpha', 'beta'], rangeOf: () => commits });
  expect(entries).toEqual({
    alpha: { lines: { fix: ['totals are rounded once'] }, elsewhere: {} },
    beta: { lines: {}, elsewhere: { alpha: 1 } },
  });
});
