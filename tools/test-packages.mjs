// The packages that most test files import, each as one file for Jest: it reads, resolves and compiles some 1,500 files anew for each test file that starts a
// service. Bundled as the product is, so that each class has one identity. Made anew when packages or this file change.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const PACKAGES = [
  ...['@nestjs/common', '@nestjs/core', '@nestjs/microservices', '@nestjs/platform-fastify', 'fastify', 'rxjs'],
  ...['class-transformer', 'class-transformer/cjs/storage.js', 'class-validator', 'class-validator-jsonschema'],
  ...['ajv', 'ajv/dist/2020.js', 'ajv-formats', 'stdnum', 'undici', 'prom-client'],
  ...['@opentelemetry/api', '@opentelemetry/semantic-conventions'],
];
const folder = join(root, 'node_modules/.cache/test-packages');
const fileOf = (name) => `${name.replaceAll('/', '+').replace(/\.js$/, '')}.mjs`;
const print = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .update(readFileSync(import.meta.filename))
  .update(readFileSync(join(root, 'tools/bundle.mjs')))
  .digest('hex');

/** Names its exports one by one: those of a CommonJS package are known at run time alone. */
async function facade(name) {
  const exported = await import(name);
  const names = Object.keys(exported).filter((one) => !['default', 'module.exports', '__esModule'].includes(one));
  const whole = `import imported from '${name}';\nconst whole = imported;\nexport { whole as default, whole as 'module.exports' };\n`;
  return `export { ${names.join(', ')} } from '${name}';\n${'default' in exported ? whole : ''}`;
}

async function make(into) {
  const [{ build }, { banner, external, withoutExpress }] = await Promise.all([import('esbuild'), import('./bundle.mjs')]);
  const sources = join(into, 'sources');
  mkdirSync(sources, { recursive: true });
  for (const name of PACKAGES) writeFileSync(join(sources, fileOf(name)), await facade(name));
  await build({
    entryPoints: PACKAGES.map((name) => join(sources, fileOf(name))),
    absWorkingDir: root,
    outdir: into,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    // Without `module`, which Node does not know.
    conditions: [],
    format: 'esm',
    target: 'node24',
    legalComments: 'none',
    logLevel: 'error',
    banner: { js: banner },
    plugins: [withoutExpress],
    external: [...external, 'pino'],
  });
  rmSync(sources, { recursive: true });
}

/** Makes the files where they are missing, and removes those of other packages. Returns Jest's `moduleNameMapper` of them. */
export async function testPackages() {
  const here = join(folder, print);
  if (!existsSync(here)) {
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
  return Object.fromEntries(PACKAGES.map((name) => [`^${name.replaceAll('.', '\\.')}$`, join(here, fileOf(name))]));
}
