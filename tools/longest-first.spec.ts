import { globSync } from 'node:fs';
import { inOrder, LONGEST } from './longest-first.mjs';
import { join } from 'node:path';
import { root } from './setup.mjs';

test('the longest test files, which come first, are files that there are', () => {
  const paths = globSync('{libs,services,tests,rig,tools}/**/*.spec.ts', { cwd: root, exclude: ['**/node_modules', '**/dist'] });
  expect(LONGEST.filter((beginning) => !paths.some((path) => path.includes(`/${beginning}.`)))).toEqual([]);
});

test('a number decides the order, whatever it was before', () => {
  const tests = Array.from({ length: 20 }, (_, n) => ({ path: join(root, `libs/${n}.spec.ts`) }));
  const [first, again, second] = [inOrder(tests, '1'), inOrder(tests.toReversed(), '1'), inOrder(tests, '2')];
  expect(again).toEqual(first);
  expect(second).not.toEqual(first);
  expect(new Set(second)).toEqual(new Set(tests));
});
