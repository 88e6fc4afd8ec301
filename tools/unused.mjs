// Finds unused exports and files, files that only tests use, and cycles of imports. Knip reads a copy of the sources as one package: it counts everything that
// a package.json exports as used, and every project exports all of its files. In the copy an import of types is like any other, so that cycles of types are
// found too. `node tools/unused.mjs [folder]`: of another folder with libs/ and services/.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './setup.mjs';
import { bin } from './tally.mjs';

const searched = process.argv[2] ?? root;
const copy = mkdtempSync(join(tmpdir(), 'svc-unused-'));
const sources = ['libs', 'services', 'tests', 'rig', 'tools', 'bench', 'deploy', 'helm'];
const testing = '**/{*.{spec,suite}.ts,testing/**}';
/** Programs that are started by name, and what is for programs of others. */
const started = [
  'rig/eventstoredb/src/main.ts',
  'libs/client/src/{index,testing/write-types}.ts',
  'libs/event-bus/src/testing/killed-member.ts',
  'libs/totals/src/testing/kernel-on-big.ts',
  'rig/servers/start-servers.d.mts',
  'services/*/src/{main,svc,launching,read-certificate,render}.ts',
  'services/dashboard/src/main.tsx',
  'libs/service/src/process/create-topics.ts',
  '{tools,bench,deploy,rig,helm}/**/*.mjs',
  'helm/tools/describe.ts',
  'tools/contracts/{describe/{main,stored-event-types},gate/main}.ts',
];

const searches = [
  {
    entry: [...started, '**/*.spec.ts', 'rig/eventstoredb/**/*.mjs'],
    project: ['**/*.{ts,tsx,mts,mjs}'],
    args: ['--include', 'files,exports,types,cycles'],
  },
  {
    entry: started.map((path) => `${path}!`),
    project: ['{libs,services}/**/*.{ts,tsx}!', `!${testing}!`, '!libs/testkit/**!'],
    args: ['--production', '--include', 'files'],
  },
];

/** Where imports of each project's own name lead. */
function paths() {
  const projects = globSync('{libs,services,rig}/*/package.json', { cwd: searched });
  return Object.fromEntries(
    projects.flatMap((path) => {
      const { name } = JSON.parse(readFileSync(join(searched, path), 'utf8'));
      const src = `./${path.replace('package.json', 'src')}`;
      return [
        [name, [`${src}/index.ts`]],
        [`${name}/*`, [`${src}/*.ts`]],
      ];
    }),
  );
}

const isSource = (path) => !/\/(node_modules|dist|fixtures)$|\/package\.json$/.test(path);
for (const folder of sources.filter((name) => existsSync(join(searched, name))))
  cpSync(join(searched, folder), join(copy, folder), { recursive: true, filter: isSource });
for (const path of globSync('{libs,services,tests,rig}/**/*.{ts,tsx}', { cwd: copy })) {
  const text = readFileSync(join(copy, path), 'utf8');
  writeFileSync(join(copy, path), text.replace(/^(import|export) type /gm, '$1 ').replace(/([{,]\s*)type (?=\w)/g, '$1'));
}
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
writeFileSync(
  join(copy, 'package.json'),
  JSON.stringify({ name: 'sources', private: true, type: 'module', dependencies, devDependencies }),
);
// Without the projects' own links, which lead to built files.
mkdirSync(join(copy, 'node_modules'));
for (const name of readdirSync(join(root, 'node_modules')))
  if (name !== '@svc') symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));

let status = 0;
for (const [n, { entry, project, args }] of searches.entries()) {
  writeFileSync(
    join(copy, `knip-${n}.json`),
    JSON.stringify({
      entry,
      project,
      paths: paths(),
      jest: false,
      eslint: false,
      ignoreExportsUsedInFile: { interface: true, type: true },
    }),
  );
  const options = ['--no-config-hints', '--no-gitignore', '--config', `knip-${n}.json`, ...args];
  if (spawnSync(bin('knip'), options, { cwd: copy, stdio: 'inherit' }).status !== 0) status = 1;
}
rmSync(copy, { recursive: true });
process.exit(status);
