import 'reflect-metadata';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { descriptionOf } from './description.ts';

const [service = '', folder = ''] = process.argv.slice(2);
const description = await descriptionOf(service);
for (const [path, text] of description) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
console.log(`${service}: ${description.size} files in ${folder}`);
