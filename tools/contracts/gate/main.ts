import 'reflect-metadata';
import { join } from 'node:path';
import { acceptedIn } from './accepted.ts';
import { compareWithReleases } from './gate.ts';

const accepted = acceptedIn(join(import.meta.dirname, '../accepted.json'));
const { lines, isPassed } = await compareWithReleases(process.argv[2] ?? '', accepted);
console.log(lines.join('\n'));
process.exit(isPassed ? 0 : 1);
