// npm run gate [-- <folder>] [--all] [--keep]: compares what this commit promises to others with the releases in releases/<service>/<version>/, and refuses a
// change that breaks a client, a consumer, or the reading of what is stored. docs/contract-gate.md says what to do then. `--all` prints all accepted breaks, and
// not only those that accepted-breaks.txt does not have; `--keep` writes them into it.
import { join } from 'node:path';
import { runSource } from './run-source.mjs';

await runSource(join(import.meta.dirname, 'gate/main.ts'), ...process.argv.slice(2));
