// npm run gate [-- <folder>]: compares what this commit promises to others with the releases in releases/<service>/<version>/, and refuses a change that
// breaks a client, a consumer, or the reading of what is stored. docs/contract-gate.md says what to do then.
import { join, resolve } from 'node:path';
import { root } from '../setup.mjs';
import { runSource } from './run-source.mjs';

await runSource(join(import.meta.dirname, 'gate/main.ts'), resolve(process.argv[2] ?? join(root, 'releases')));
