// Compiles projects with SWC: the sources in `src` to `dist` beside it, without specs. Run in a project's folder, or imported by build.mjs for many.
import { mkdirSync, globSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { transformFile } from '@swc/core';
import { root } from './setup.mjs';

const isTest = (path) => /\.(spec|suite)\.ts$/.test(path) || /(^|\/)testing\//.test(path);

/** `project`: its folder. SWC compiles in threads of its own: several projects at once use all processors. */
export async function compile(project) {
  const [src, dist] = [join(project, 'src'), join(project, 'dist')];
  rmSync(dist, { recursive: true, force: true });
  const paths = globSync('**/*.ts', { cwd: src }).filter((path) => !isTest(path));
  for (const folder of new Set(paths.map((path) => dirname(join(dist, path))))) mkdirSync(folder, { recursive: true });
  await Promise.all(
    paths.map(async (path) => {
      const target = join(dist, path.replace(/\.ts$/, '.js'));
      const source = join(src, path);
      const options = { swcrc: false, configFile: join(root, '.swcrc'), sourceFileName: relative(dirname(target), source) };
      const { code, map } = await transformFile(source, options);
      const comment = `\n//# sourceMappingURL=${target.slice(dirname(target).length + 1)}.map`;
      await Promise.all([writeFile(target, code + comment), writeFile(`${target}.map`, map)]);
    }),
  );
}

if (process.argv[1] === import.meta.filename) await compile(process.cwd());
