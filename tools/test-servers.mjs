// npm run test:servers: what needs real servers, at the addresses in the environment. First the suites of the ports, then the end-to-end
// tests over the services as processes of their own, then what only several replicas can show. Says what it leaves out. Words after
// `--` choose files by parts of their paths.
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { root } from './setup.mjs';
import { openTally, run } from './tally.mjs';

const missing = ['KAFKA_BROKERS', 'MONGODB_URL', 'EVENT_STORE_URL'].filter((name) => !process.env[name]);
if (missing.length > 0) {
  console.error(`npm run test:servers needs the addresses of real servers; not in the environment: ${missing.join(', ')}
\`npm run servers -- start\` starts them where there is no Docker, and prints the addresses; \`docker compose up\` is the same.`);
  process.exit(2);
}

const chosen = (path) => process.argv.length === 2 || process.argv.slice(2).some((word) => path.includes(word));
const files = (pattern) => globSync(pattern, { cwd: root, exclude: ['**/node_modules', '**/dist'] }).filter(chosen);
const replicas = files('services/standalone/src/servers/*.servers.spec.ts');
const suites = files('{libs,services,emulators,deploy,tools}/**/*.servers.spec.ts').filter((path) => !replicas.includes(path));
const ends = files('services/standalone/src/e2e/*.e2e.spec.ts');
/** About the one process: its data folder, its settings, its death as a whole. */
const embedded = ends.filter((path) => /\.embedded\./.test(basename(path)));

const tally = openTally();
const times = [];
function jest(what, paths, env, args = []) {
  if (paths.length === 0) return;
  console.log(`\n${what}`);
  times.push(`${what}: ${tally.jest([...args, '--runTestsByPath', ...paths], env)}`);
}

if (await tally.step('build', () => run(process.execPath, [`${root}/tools/build.mjs`]))) {
  jest('The suites on real servers', suites, { TESTS: 'servers' });
  const over = ends.filter((path) => !embedded.includes(path));
  jest('The end-to-end tests over the services as processes of their own', over, { SYSTEM: 'services' });
  jest('Several replicas: gateways, restarts, kills', replicas, { TESTS: 'servers' }, ['--runInBand']);
}

console.log(`\n${times.join('\n')}`);
if (embedded.length > 0)
  console.log(`\nNot run, since they are about the one process on the embedded engine; npm test runs them:\n  ${embedded.join('\n  ')}`);
tally.end();
