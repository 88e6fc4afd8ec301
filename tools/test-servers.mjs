// npm run test:servers: tests that need real servers, at the addresses in the environment: the suites of the ports, the end-to-end tests over separate service
// processes, and tests of several replicas. Nearly all in one run of Jest, since much of each is waiting. Prints what it omits. Arguments after `--` choose
// files by parts of their paths.
import { globSync } from 'node:fs';
import { baseIsKept } from '../rig/image/store.mjs';
import { root } from './setup.mjs';
import { openTally, run } from './tally.mjs';

const missing = ['KAFKA_BROKERS', 'MONGODB_URL', 'EVENT_STORE_URL'].filter((name) => !process.env[name]);
if (missing.length > 0) {
  console.error(`npm run test:servers needs the addresses of real servers; not in the environment: ${missing.join(', ')}
\`npm run servers -- start\` starts them where there is no Docker, and prints the addresses; \`docker compose up\` is the same.`);
  process.exit(2);
}

/** One after the other, after the rest: beside it all their processes get too little of two processors to answer every request in time. */
const ALONE = globSync('tests/servers/alone/*.servers.spec.ts', { cwd: root });

const words = process.argv.slice(2);
const withImages = baseIsKept();
const tally = openTally();
if (await tally.step('build', () => run(process.execPath, [`${root}/tools/build.mjs`]))) {
  const env = { TESTS: 'servers', SYSTEM: 'services' };
  const alone = words.length === 0 ? ALONE : ALONE.filter((path) => words.some((word) => path.includes(word)));
  const left = [...ALONE, ...(withImages ? [] : ['/rig/image/'])].map((path) => `--testPathIgnorePatterns=${path}`);
  await tally.jest([...words, ...left, ...(alone.length > 0 ? ['--passWithNoTests'] : [])], env);
  if (alone.length > 0) await tally.jest(['--maxWorkers=1', ...alone], env);
}
console.log(`\nNot run, since they are about the one process on the embedded engine; npm test runs them:
  ${globSync('tests/e2e/*.embedded.e2e.spec.ts', { cwd: root }).join('\n  ')}`);
if (!withImages) console.log('\nNot run: rig/image, since the base image is not built (npm run cluster -- build builds it).');
tally.end();
