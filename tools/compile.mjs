// Compiles projects with SWC: the sources in `src` to `dist` beside it, without specs. Run in a project's folder, or imported by build.mjs for many.
import { mkdirSync, globSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { transformFile } from '@swc/core';
import { root } from './setup.mjs';

/** Files of all projects that are compiled at once: some systems allow 256 open ones. */
const AT_ONCE = 32;
let running = 0;
const waiting = [];

/** Runs the work when fewer than `AT_ONCE` run. */
async function inTurn(work) {
  if (running === AT_ONCE) await new Promise((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

const isTest = (path) => /\.(spec|suite)\.ts$/.test(path) || /(^|\/)testing\//.test(path);

/** `project`: its folder. SWC compiles in threads of its own: several projects at once use all processors. */
export async function compile(project) {
  const [src, dist] = [join(project, 'src'), join(project, 'dist')];
  rmSync(dist, { recursive: true, force: true });
  const paths = globSync('**/*.ts', { cwd: src }).filter((path) => !isTest(path));
  for (const folder of new Set(paths.map((path) => dirname(join(dist, path))))) mkdirSync(folder, { recursive: true });
  await Promise.all(
    paths.map((path) =>
      inTurn(async () => {
        const target = join(dist, path.replace(/\.ts$/, '.js'));
        const source = join(src, path);
        const options = { swcrc: false, configFile: join(root, '.swcrc'), sourceFileName: relative(dirname(target), source) };
        const { code, map } = await transformFile(source, options);
        const comment = `\n//# sourceMappingURL=${target.slice(dirname(target).length + 1)}.map`;
        await Promise.all([writeFile(target, code + comment), writeFile(`${target}.map`, map)]);
      }),
    ),
  );
}

if (process.argv[1] === import.meta.filename) await compile(process.cwd());
