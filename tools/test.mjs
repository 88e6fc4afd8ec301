// npm test: everything that needs only npm. Each check counts as one test beside Jest's; the last line is the sum.
import { join } from 'node:path';
import { emulatorChanged, emulatorSpecs, FOLDER } from './emulator-specs.mjs';
import { root } from './setup.mjs';
import { bin, openTally, runBeside } from './tally.mjs';

const tally = openTally();
const check = (name, path, ...args) => tally.step(name, () => runBeside(path, args));
// Tests start what is built.
await check('build', process.execPath, join(root, 'tools/build.mjs'));
/** One after the other, on what Jest leaves of the processors: its files wait for much of their time. */
async function checks() {
  await check('subjects of commits', process.execPath, join(root, 'tools/lint-commits.mjs'));
  await check('lint and module boundaries', process.execPath, join(root, 'tools/lint.mjs'));
  await check('types', bin('tsc'), '-p', 'tsconfig.json');
  await check('types of the dashboard', bin('tsc'), '-p', 'services/dashboard/tsconfig.json');
  await check('format', bin('prettier'), '--check', '--cache', '--log-level', 'warn', '.');
  await check('unused code and cycles', process.execPath, join(root, 'tools/unused.mjs'));
  await check('folders', process.execPath, join(root, 'tools/folders.mjs'));
}
const args = process.argv.slice(2);
const withEmulator = args.some((word) => word.includes('eventstoredb')) || emulatorChanged();
await Promise.all([checks(), tally.jest(args, withEmulator ? {} : { TESTS: 'product' })]);
if (!withEmulator)
  console.log(`\nNot run, since nothing under ${FOLDER} differs from the commit before; npm run test:long runs them:
  ${emulatorSpecs().join('\n  ')}`);
tally.end();
