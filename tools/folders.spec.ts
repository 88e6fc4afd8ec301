import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;

/** What the check prints for these files. */
function checked(files: Record<string, string>): { status: number | null; stdout: string } {
  const folder = mkdtempSync(join(tmpdir(), 'svc-folders-'));
  for (const file of ['libs/kernel/src/none.ts', ...Object.keys(files)]) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), files[file] ?? 'export const none = 1;\n');
  }
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'tools/folders.mjs'), folder], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return { status, stdout };
}
const importing = (path: string): string => `import type { A } from '${path}';\nexport type B = A;\nexport type A = number;\n`;

test('a circle of three folders of a project is found, also where only types are imported', () => {
  const { status, stdout } = checked({
    'services/shop/src/till/a.ts': importing('../stock/a.ts'),
    'services/shop/src/stock/a.ts': importing('../staff/a.ts'),
    'services/shop/src/staff/a.ts': importing('../till/b.ts'),
    'services/shop/src/till/b.ts': 'export type A = number;\n',
  });
  expect([status === 0, stdout]).toEqual([false, expect.stringContaining('circle-of-folders')]);
});

test.each([
  ['numbering', 'invoice', 'upwards-in-invoicing'],
  ['customer', 'issuer', 'upwards-in-invoicing'],
  ['invoice', 'receipt', 'beside-in-invoicing'],
])('%s of invoicing that imports %s is found', (from, to, rule) => {
  const { status, stdout } = checked({
    [`services/invoicing/src/${from}/a.ts`]: importing(`../${to}/b.ts`),
    [`services/invoicing/src/${to}/b.ts`]: 'export type A = number;\n',
  });
  expect([status === 0, stdout]).toEqual([false, expect.stringContaining(rule)]);
});

test('what imports lower folders passes', () => {
  const { status } = checked({
    'services/invoicing/src/invoice/a.ts': importing('../numbering/b.ts'),
    'services/invoicing/src/numbering/b.ts': 'export type A = number;\n',
  });
  expect(status).toBe(0);
});
