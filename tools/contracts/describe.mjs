// node tools/contracts/describe.mjs <service> <folder>: writes what a service of this commit promises to others: its API, its public and stored events as
// JSON Schema, and golden events. Equal sources give equal bytes. A service that promises nothing writes nothing.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../setup.mjs';
import { runSource } from './run-source.mjs';

const [service = '', given] = process.argv.slice(2);
const services = readdirSync(join(root, 'services')).filter((name) => existsSync(join(root, 'services', name, 'src/main.ts')));
if (!services.includes(service) || !given) {
  console.error(`usage: node tools/contracts/describe.mjs <service> <folder>; services: ${services.sort().join(', ')}`);
  process.exit(2);
}
const folder = resolve(given);
const [there] = ['openapi.json', 'public-events', 'stored-events', 'golden'].filter((name) => existsSync(join(folder, name)));
if (there) {
  console.error(`${folder} already holds a description (${there}): name an empty folder`);
  process.exit(2);
}
mkdirSync(folder, { recursive: true });

await runSource(join(import.meta.dirname, 'describe/main.ts'), service, folder);
