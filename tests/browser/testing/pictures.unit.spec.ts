import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOf, pictures } from './pictures.ts';

const root = join(import.meta.dirname, '../../..');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = [...textOf('services/dashboard/src/app/pages.ts').matchAll(/^ {2}'(\/app[^']*)':/gm)].map(([, page]) => page as string);
/** Pictures that the browser's tests take: by a call each, and of the pages that one of them goes through. */
const taken = globSync('tests/browser/*.browser.spec.ts', { cwd: root }).flatMap((path) =>
  [...textOf(path).matchAll(/looksRight\(\w+, '([^']+)'\)|^ {2}'?([\w-]+)'?: \{ path: '\/app/gm)].map(([, call, row]) => call ?? row),
);

test('each page of the dashboard is looked at by a test in the browser', () => {
  expect(pages.length).toBeGreaterThan(30);
  expect(Object.keys(pictures).sort()).toEqual([...pages].sort());
  expect(Object.values(pictures).filter((picture) => !taken.includes(picture))).toEqual([]);
});

test('no picture is written over by another one', () => {
  expect([...taken, ...Object.values(pictures)].length).toBeGreaterThan(60);
  expect(taken.filter((picture, n) => taken.indexOf(picture) !== n)).toEqual([]);
  expect(new Set(Object.values(pictures)).size).toBe(pages.length);
});

test.each([
  ['/app/invoices/$id', '/app/invoices/inv_1', true],
  ['/app/invoices/$id', '/app/invoices/new', false],
  ['/app/invoices/$id', '/app/invoices/inv_1/edit', false],
  ['/app/webhooks/$id/deliveries/$whd', '/app/webhooks/wh_1/deliveries/whd_1', true],
])('%s and %s', (page, path, is) => expect(isOf(page, path)).toBe(is));
