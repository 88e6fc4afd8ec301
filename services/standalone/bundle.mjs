// The built program as one file: resolving and reading some 1,500 files was four fifths of the time to start. Decorators and their
// metadata are SWC's work, so that what is bundled is what SWC built.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const dist = join(import.meta.dirname, 'dist');

// CommonJS packages inside an ES module find what they expect.
const banner = `import { createRequire as createRequireOf } from 'node:module';
import { fileURLToPath as pathOfUrl } from 'node:url';
import { dirname as folderOf } from 'node:path';
const require = createRequireOf(import.meta.url);
const __filename = pathOfUrl(import.meta.url);
const __dirname = folderOf(__filename);`;

await build({
  entryPoints: [join(dist, 'main.js')],
  outfile: join(dist, 'bundle', 'main.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  legalComments: 'none',
  sourcemap: 'linked',
  logLevel: 'warning',
  banner: { js: banner },
  // Nest loads it at every start where it is installed, as it is here for a benchmark's baseline.
  alias: { '@nestjs/platform-express': join(import.meta.dirname, 'absent.mjs') },
  // What Nest would load if it were installed and asked for; pino's printer is for terminals in development.
  external: [
    ...['@nestjs/websockets', '@nestjs/websockets/*', '@fastify/static', '@fastify/view', 'class-transformer/storage'],
    ...['@grpc/*', '@nats-io/*', 'kafkajs', 'mqtt', 'nats', 'amqplib', 'amqp-connection-manager', 'ioredis', 'pino-pretty'],
  ],
});

// The compiled form of the bundle is kept between starts.
writeFileSync(
  join(dist, 'start.mjs'),
  `import { enableCompileCache } from 'node:module';
enableCompileCache();
await import('./bundle/main.mjs');
`,
);
