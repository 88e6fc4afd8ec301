import { globSync } from 'node:fs';
import { LONGEST } from './longest-first.mjs';
import { root } from './setup.mjs';

test('the longest test files, which come first, are files that there are', () => {
  const paths = globSync('{libs,services,tests,rig,tools}/**/*.spec.ts', { cwd: root, exclude: ['**/node_modules', '**/dist'] });
  expect(LONGEST.filter((beginning) => !paths.some((path) => path.includes(`/${beginning}.`)))).toEqual([]);
});
