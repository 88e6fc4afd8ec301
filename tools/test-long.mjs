// npm run test:long: tests too long for every change: attacks on a running system, faults of tax authorities and the programs in examples/, on
// one process and on five; the pages in a
// browser; the simulation over many seeds, all kills and restarts of replicas, services of two releases side by side (npm run test:mixed runs these alone), the
// images of several services; and the emulators' own. Arguments after `--` choose files by parts of their paths; SYSTEM=services chooses only what runs on five
// processes, SYSTEM=standalone what runs on one. Five processes, and files that end in .servers.long.spec.ts, need servers: without addresses in the environment,
// they are started.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
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
const missing = ['KAFKA_BROKERS', 'MONGODB_URL', 'EVENT_STORE_URL'].filter((name) => !process.env[name]);

const servers = (...args) =>
  spawnSync(process.execPath, [join(root, 'rig/servers/servers.mjs'), ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { SERVERS_PORTS: 'kafka=0,mongo=0,event-store=0', ...process.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
/** The addresses of the servers in this folder, which are started if they do not run. */
let addresses = {};
function startServers() {
  const { status, stdout } = servers('start');
  addresses = Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  if (status !== 0) console.error(`Not in the environment: ${missing.join(', ')}. These need servers:\n  ${chosen.join('\n  ')}`);
  return status;
}

const tally = openTally();
if (await tally.step('build', () => run(process.execPath, [join(root, 'tools/build.mjs')]))) {
  const needed = chosen.length > 0 && missing.length > 0;
  const ran = needed && servers('status').status === 0;
  if (needed) await tally.step('servers', startServers);
  const env = { TESTS: 'long', ...addresses };
  if (SYSTEM !== 'services') tally.jest(['--runInBand', ...words], env);
  if (SYSTEM !== 'standalone' && onBoth.length > 0) tally.jest(['--runInBand', ...onBoth], { ...env, SYSTEM: 'services' });
  if (needed && !ran) servers('stop');
}
tally.end();
