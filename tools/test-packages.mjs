// The packages that most test files import, each group as one file for Jest: it reads, resolves and compiles some 1,500 files anew for each test file that starts
// a service. In CommonJS, which both `import` and `require` of Jest take, so that each class has one identity. Made anew when packages or this file change.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './setup.mjs';

/** Each group is one file. A package of one group is not bundled into another one. */
const GROUPS = [
  [
    '@nestjs/common',
    '@nestjs/common/internal',
    '@nestjs/core',
    '@nestjs/core/internal',
    '@nestjs/microservices',
    '@nestjs/platform-fastify',
    'fastify',
    'rxjs',
  ],
  ['class-transformer', 'class-transformer/cjs/storage.js', 'class-validator', 'class-validator-jsonschema'],
  ['ajv', 'ajv/dist/2020.js', 'ajv-formats'],
  ['@opentelemetry/api', '@opentelemetry/semantic-conventions'],
  ...[['undici'], ['prom-client'], ['stdnum'], ['qrcode'], ['xml-crypto'], ['@xmldom/xmldom'], ['iso-3166'], ['node-forge']],
];
const folder = join(root, 'node_modules/.cache/test-packages');
const fileOf = (name) => `${name.replaceAll('/', '+').replace(/\.js$/, '')}.cjs`;
const print = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .update(readFileSync(import.meta.filename))
  .digest('hex');
const require = createRequire(import.meta.url);
/** The files that Node loads for a package, by `require` and by `import`. */
const entriesOf = (name) => [require.resolve(name), fileURLToPath(import.meta.resolve(name))];

/** Packages of other groups are left to Jest, which resolves them to their own files; not another version, which a package has for itself. */
const apart = (names) => ({
  name: 'packages of other groups',
  setup({ onResolve, onLoad }) {
    // Nest loads express if it is installed: it is, for a benchmark's baseline.
    onResolve({ filter: /^@nestjs\/platform-express$/ }, ({ path }) => ({ path, namespace: 'absent' }));
    onLoad({ filter: /./, namespace: 'absent' }, () => ({ contents: 'export {};' }));
    const others = new Map(
      GROUPS.flat()
        .filter((name) => !names.includes(name))
        .map((name) => [name, require.resolve(name)]),
    );
    onResolve({ filter: /^[^./]/ }, ({ path, resolveDir }) =>
      others.has(path) && createRequire(join(resolveDir, 'importer')).resolve(path) === others.get(path)
        ? { path, external: true }
        : undefined,
    );
  },
});

async function make(into) {
  const { build } = await import('esbuild');
  mkdirSync(into, { recursive: true });
  for (const names of GROUPS) {
    const together = `group+${fileOf(names[0])}`;
    const getters = names.map((name) => `get '${name}'() { return require('${name}'); }`);
    await build({
      stdin: { contents: `module.exports = { ${getters.join(', ')} };`, resolveDir: root },
      outfile: join(into, together),
      bundle: true,
      platform: 'node',
      // Without `module`, which Node does not know.
      conditions: [],
      format: 'cjs',
      target: 'node24',
      legalComments: 'none',
      logLevel: 'error',
      define: { 'import.meta.url': 'importMetaUrl' },
      banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
      plugins: [apart(names)],
      // Jest has loaded reflect-metadata before; pino starts worker threads from its own files; the others are optional packages of Nest, and Nest loads what is installed.
      external: [
        ...['reflect-metadata', 'pino'],
        '@nestjs/websockets',
        '@nestjs/websockets/*',
        '@fastify/static',
        '@fastify/view',
        '@grpc/*',
        'kafkajs',
        ...['@nats-io/*', 'mqtt', 'nats', 'amqplib', 'amqp-connection-manager', 'ioredis'],
      ],
    });
    for (const name of names)
      writeFileSync(join(into, fileOf(name)), `const group = require('./${together}');\nmodule.exports = group['${name}'];\n`);
  }
}

const here = join(folder, print);

/** Makes the files where they are missing, and removes those of other packages. */
export async function makeTestPackages() {
  if (existsSync(here)) return;
  const unfinished = `${here}.${process.pid}`;
  await make(unfinished);
  try {
    renameSync(unfinished, here);
  } catch {
    // Another run has made them meanwhile.
    rmSync(unfinished, { recursive: true });
  }
  for (const name of readdirSync(folder)) if (!name.startsWith(print)) rmSync(join(folder, name), { recursive: true });
}

/** Which file Jest loads in place of which of Node's. */
export const testPackages = () =>
  new Map(GROUPS.flat().flatMap((name) => entriesOf(name).map((entry) => [entry, join(here, fileOf(name))])));
