import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { commitOf, keepResults } from '../../release/results.mjs';
import { acceptedIn } from './accepted.ts';
import { compareWithReleases } from './gate.ts';

const root = join(import.meta.dirname, '../../..');
const KNOWN = join(import.meta.dirname, '../accepted-breaks.txt');
const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false }, keep: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [folder] = positionals;

const commit = commitOf(root);
const accepted = acceptedIn(join(import.meta.dirname, '../accepted.json'));
const known = values.all ? new Set<string>() : new Set(readFileSync(KNOWN, 'utf8').split('\n'));
const { lines, isPassed, harmless, services } = await compareWithReleases(folder ?? join(root, 'releases'), accepted, known);
console.log(lines.join('\n'));
if (values.keep && isPassed) writeFileSync(KNOWN, `${harmless.toSorted().join('\n')}\n`);
// What a release asks for is the comparison with all releases of the repository.
if (folder === undefined) console.log(keepResults(root, commit, { gate: { passed: isPassed, services } }));
process.exit(isPassed ? 0 : 1);
