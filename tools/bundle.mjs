// Bundles a compiled program into one start file, `dist/start.mjs`: SWC has compiled it, since esbuild emits no decorator metadata. Run in the project's
// folder, or imported by build.mjs. Resolving and reading some 1,500 files was four fifths of the time to start.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { trimmedPackages } from './trimmed-packages.mjs';

// The beginning of every file: decorators need reflect-metadata first, and splitting does not keep the order. Defines what CommonJS packages
// expect in an ES module.
const banner = `import 'reflect-metadata';
import { createRequire as createRequireOf } from 'node:module';
import { fileURLToPath as pathOfUrl } from 'node:url';
import { dirname as folderOf } from 'node:path';
const require = createRequireOf(import.meta.url);
const __filename = pathOfUrl(import.meta.url);
const __dirname = folderOf(__filename);`;

/**
 * A CommonJS package imported at run time would, with split files, have only `default` and none of its names. A file of ours
 * that imports it statically is imported instead.
 */
const packagesNotAtRunTime = {
  name: 'packages are not imported at run time',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ kind, path, importer }) =>
      kind === 'dynamic-import' && !importer.includes('/node_modules/')
        ? { errors: [{ text: `${path}: import a file of your own that imports it statically (see tools/bundle.mjs)` }] }
        : undefined,
    );
  },
};

/** Builds these programs of a project, which share files. Returns the paths of their sources. */
async function buildTogether(project, names) {
  const dist = join(project, 'dist');
  const { metafile } = await build({
    metafile: true,
    entryPoints: names.map((name) => join(dist, `${name}.js`)),
    absWorkingDir: project,
    outdir: join(dist, 'bundle'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // Dynamic imports become files of their own.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    legalComments: 'none',
    // The text of a program stays in memory. A line is printed whole beside an error.
    minifyWhitespace: true,
    lineLimit: 160,
    sourcemap: 'linked',
    logLevel: 'warning',
    banner: { js: banner },
    plugins: [...trimmedPackages, packagesNotAtRunTime],
    external: [
      // Clients of servers.
      'reflect-metadata',
      // Loaded only on request, and larger than a program.
      ...['@opentelemetry/sdk-*', '@opentelemetry/exporter-*', '@opentelemetry/resources'],
      // Loaded only for documents in other scripts; they read WebAssembly from their own folders.
      ...['harfbuzzjs', 'subset-font'],
      ...['@eventstore/db-client', '@grpc/*', 'google-protobuf', 'kafkajs', 'mongodb'],
      // Optional packages of Nest that are not used; pino's printer is for terminals in development.
      ...['@nestjs/websockets', '@nestjs/websockets/*', '@fastify/static', '@fastify/view', 'class-transformer/storage'],
      ...['@nats-io/*', 'mqtt', 'nats', 'amqplib', 'amqp-connection-manager', 'ioredis', 'pino-pretty'],
    ],
  });
  return Object.keys(metafile.inputs);
}

/** `project`: its folder. The field `bundle` of its package.json names entry points beside the program. */
export async function bundle(project) {
  const { bundle: entryPoints = [] } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const dist = join(project, 'dist');
  const bundle = join(dist, 'bundle');
  rmSync(bundle, { recursive: true, force: true });
  // The program shares no file with the others: it would load, and keep in memory, what only they use of one.
  const inputs = [
    ...(await buildTogether(project, ['main'])),
    ...(entryPoints.length > 0 ? await buildTogether(project, entryPoints) : []),
  ];

  // The fonts of PDFs with their licence, beside the program that draws them: an image has no packages of fonts, which hold many more.
  const drawing = inputs.find((input) => input.endsWith('/document-files/dist/pdf/fonts.js'));
  if (drawing) {
    const { besideName, fontFiles, packaged } = await import(pathToFileURL(resolve(project, drawing)).href);
    mkdirSync(join(bundle, 'fonts'));
    for (const path of fontFiles()) copyFileSync(packaged(path), join(bundle, besideName(path)));
    copyFileSync(packaged('@expo-google-fonts/noto-sans/LICENSE_FONT'), join(bundle, 'fonts', 'LICENSE.txt'));
  }

  // The program that checks evidence, which every bundle of evidence holds.
  const checking = inputs.find((input) => input.endsWith('/fiscal-submission/dist/evidence/program.js'));
  const own = join(dist, 'evidence/program.js');
  if (checking || existsSync(own)) {
    const { programFiles } = await import(pathToFileURL(checking ? resolve(project, checking) : own).href);
    for (const { name, bytes } of programFiles()) writeFileSync(join(bundle, name), bytes);
  }

  // Keeps the compiled form of the bundle between starts.
  writeFileSync(
    join(dist, 'start.mjs'),
    `import { enableCompileCache } from 'node:module';
enableCompileCache();
await import('./bundle/main.mjs');
`,
  );
}

if (process.argv[1] === import.meta.filename) await bundle(process.cwd());
