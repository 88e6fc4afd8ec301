import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './setup.mjs';

test('many files are compiled where few may be open at once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-compile-'));
  const projects = ['one', 'two'].map((name) => join(folder, name));
  for (const project of projects) {
    mkdirSync(join(project, 'src'), { recursive: true });
    for (let n = 0; n < 300; n += 1) writeFileSync(join(project, 'src', `f${n}.ts`), `export const n: number = ${n};\n`);
  }
  const program = `const { compile } = await import(${JSON.stringify(join(root, 'tools/compile.mjs'))});
    await Promise.all(${JSON.stringify(projects)}.map(compile));`;
  const command = ['-c', 'ulimit -n 160 && exec "$0" "$@"', process.execPath, '--input-type=module', '-e', program];
  const { status, stderr } = spawnSync('sh', command, { encoding: 'utf8', cwd: root });
  expect([status, stderr]).toEqual([0, '']);
  expect(globSync('*/dist/*.{js,map}', { cwd: folder })).toHaveLength(1_200);
  rmSync(folder, { recursive: true });
});
