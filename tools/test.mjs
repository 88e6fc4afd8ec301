// npm test: everything that needs only npm. Each check counts as one test beside Jest's; the last line is the sum.
import { join } from 'node:path';
import { emulatorsChanged, emulatorSpecs } from './emulator-specs.mjs';
import { root } from './setup.mjs';
import { bin, openTally, run, runBeside } from './tally.mjs';

const tally = openTally();
// One processor each.
await Promise.all([
  tally.step('format', () => runBeside(bin('prettier'), ['--check', '--log-level', 'warn', '.'])),
  tally.step('types', () => runBeside(bin('tsc'), ['-p', 'tsconfig.json'])),
]);
await tally.step('lint and module boundaries', () => run(process.execPath, [join(root, 'tools/lint.mjs')]));
await tally.step('build', () => run(process.execPath, [join(root, 'tools/build.mjs')]));
const args = process.argv.slice(2);
const withEmulators = args.some((word) => word.includes('emulators')) || emulatorsChanged();
tally.jest(args, withEmulators ? {} : { TESTS: 'product' });
if (!withEmulators)
  console.log(`\nNot run, since nothing under emulators/ differs from the commit before; npm run test:long runs them:
  ${emulatorSpecs().join('\n  ')}`);
tally.end();
