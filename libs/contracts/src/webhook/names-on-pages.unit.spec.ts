import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { webhookEventTypes } from './vocabulary.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const pages = globSync('{README.md,{docs,deploy,helm,examples}/**/*.md,{libs,services}/*/{README.md,decisions/*.md}}', {
  cwd: root,
  exclude: (name) => name === 'node_modules',
});

test('a name of a webhook event on a page is one that is sent', () => {
  const kinds = new Set(webhookEventTypes.map((type) => type.split('.')[0]));
  const names = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(new RegExp(`\`((?:${[...kinds].join('|')})\\.[a-z]+)\``, 'g'))].map(
      ([, name = '']) => [page, name] as const,
    ),
  );
  expect(names.length).toBeGreaterThan(2);
  expect(names.filter(([, name]) => !(webhookEventTypes as readonly string[]).includes(name))).toEqual([]);
});
