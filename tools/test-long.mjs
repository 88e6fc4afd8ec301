// npm run test:long: what is too long for every change: attacks on a running system, the simulation over many seeds; and what is the emulators'
// own. Words after `--` choose files by parts of their paths. Needs npm alone.
import { root } from './setup.mjs';
import { openTally, run } from './tally.mjs';

const tally = openTally();
if (await tally.step('build', () => run(process.execPath, [`${root}/tools/build.mjs`])))
  tally.jest(['--runInBand', ...process.argv.slice(2)], { TESTS: 'long' });
tally.end();
