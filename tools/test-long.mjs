// npm run test:long: tests too long for every change: attacks on a running system, faults of tax authorities and the programs in examples/, on
// one process and on five; the pages in a
// browser; the simulation over many seeds, all kills and restarts of replicas, services of two releases side by side (npm run test:mixed runs these alone), the
// images of several services; and the emulators' own. Arguments after `--` choose files by parts of their paths; SYSTEM=services chooses only what runs on five
// processes, SYSTEM=standalone what runs on one. Five processes, and files that end in .servers.long.spec.ts, need servers: without addresses in the environment,
// they are started.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { missing, startServers } from './long-servers.mjs';
import { root } from './setup.mjs';
import { openTally, run } from './tally.mjs';

const words = process.argv.slice(2);
const chosenOf = (pattern) =>
  globSync(pattern, { cwd: root, exclude: ['**/node_modules', '**/dist'] }).filter(
    (path) => words.length === 0 || words.some((word) => path.includes(word)),
  );
/** On one process and on five. */
const onBoth = [...chosenOf('tests/{attacks,authorities}/*.long.spec.ts'), ...chosenOf('tests/e2e/examples.long.spec.ts')].filter(
  (path) => !path.endsWith('.embedded.long.spec.ts'),
);
const { SYSTEM } = process.env;
const chosen = SYSTEM === 'standalone' ? [] : [...chosenOf('{libs,services,tests,rig}/**/*.servers.long.spec.ts'), ...onBoth];
const tally = openTally();
if (await tally.step('build', () => run(process.execPath, [join(root, 'tools/build.mjs')]))) {
  const { isReady, addresses, stop } = chosen.length > 0 ? await startServers(tally) : { isReady: true, addresses: {}, stop: () => {} };
  const env = { TESTS: 'long', ...addresses };
  const without = isReady ? [] : ['--testPathIgnorePatterns=\\.servers\\.long\\.spec', '--passWithNoTests'];
  if (SYSTEM !== 'services') await tally.jest(['--runInBand', ...words, ...without], env);
  if (!isReady) tally.notRun(chosen, `without ${missing.join(', ')}`);
  else if (SYSTEM !== 'standalone' && onBoth.length > 0) await tally.jest(['--runInBand', ...onBoth], { ...env, SYSTEM: 'services' });
  stop();
}
tally.end();
