import { build, type Plugin } from 'esbuild';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './setup.mjs';

/** Packages stay imports; our libraries and services are resolved to their built files. */
const packagesOfOthers: Plugin = {
  name: 'packages of others',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path }) => (path.startsWith('@svc/') ? undefined : { path, external: true })),
};

/** The imports of these programs that lead to a missing file, or to a file without the imported name. */
async function unresolved(programs: { entryPoints: string[] } | { stdin: { contents: string; resolveDir: string } }): Promise<string[]> {
  const options = { bundle: true, write: false, format: 'esm', platform: 'node', target: 'node24', logLevel: 'silent' } as const;
  const found = await build({ ...programs, ...options, absWorkingDir: root, outdir: root, plugins: [packagesOfOthers] }).catch(
    ({ errors }: { errors: { text: string; location: { file: string } | null }[] }) => ({ errors }),
  );
  return found.errors.map(({ text, location }) => `${location?.file}: ${text}`);
}

test('every import of a plain JavaScript program leads to a name that its file exports', async () => {
  const programs = globSync('{*,{bench,deploy,helm,rig,tools}/**/*}.mjs', { cwd: root, exclude: ['**/node_modules', '**/dist'] });
  expect(programs.length).toBeGreaterThan(50);
  expect(await unresolved({ entryPoints: programs })).toEqual([]);
});

test.each([
  ['a renamed export of a library', "import { oldName } from '@svc/kernel';"],
  ['a renamed export of a file beside it', "import { oldName } from './setup.mjs';"],
  ['a renamed export of a source', "import { oldName } from '../libs/kernel/src/clock.ts';"],
  ['a renamed file of a library', "import { systemClock } from '@svc/kernel/old-name';"],
  ['a renamed file that is imported later', "await import('./old-name.mjs');"],
])('reports %s', async (_what, imported) => {
  const contents = `${imported}\nconsole.log(typeof oldName);`;
  expect(await unresolved({ stdin: { contents, resolveDir: `${root}/tools` } })).toEqual([expect.stringMatching(/old-?name/i)]);
});

test('the programs that the Dockerfile runs have everything that they import in the build context', async () => {
  const read = (name: string): string[] => readFileSync(join(root, name), 'utf8').split('\n');
  const entryPoints = read('Dockerfile').flatMap((line) => /^RUN (?:.* )?node (\S+\.mjs)/.exec(line)?.[1] ?? []);
  const inContext = read('.dockerignore').flatMap((line) => (line.startsWith('!') ? line.slice(1) : []));
  const { metafile } = await build({
    ...{ entryPoints, bundle: true, metafile: true, write: false, format: 'esm', platform: 'node', logLevel: 'silent' },
    ...{ absWorkingDir: root, outdir: root, plugins: [packagesOfOthers] },
  });
  expect(entryPoints).toEqual(['tools/build.mjs']);
  const missing = Object.keys(metafile.inputs).filter((path) => !inContext.some((one) => path === one || path.startsWith(`${one}/`)));
  expect(missing).toEqual([]);
});

test('no decorator is used whose check a bundle does not have', () => {
  const decorators = join(root, 'node_modules/class-validator/cjs/decorator');
  const checked = globSync('*/*.js', { cwd: decorators }).filter((file) =>
    /require\("(?:validator|libphonenumber-js)/.test(readFileSync(join(decorators, file), 'utf8')),
  );
  const unbundled = new Set(checked.map((file) => basename(file, '.js')));
  expect(unbundled).toContain('IsEmail');
  const sources = globSync('{libs,services}/*/src/**/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
  const used = sources.flatMap((source) =>
    [...source.matchAll(/import \{([^}]+)\} from 'class-validator'/g)].map(([, names = '']) => names),
  );
  expect(used.length).toBeGreaterThan(5);
  expect(used.flatMap((names) => names.split(',').map((name) => name.trim())).filter((name) => unbundled.has(name))).toEqual([]);
});
