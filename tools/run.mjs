// Runs the commands of npm scripts: installs what is missing, then runs the command on Node 24.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { arePagesBuilt, bundled } from './built.mjs';
import { nodeOptions } from './node-options.mjs';
import { root, setup, setupProduct } from './setup.mjs';

const [command, ...args] = process.argv.slice(2);
/** Commands that run the product, and need no more than it does. */
const ofProduct = ['start', 'svc', 'topics', 'demo', 'simulator'];
/** Commands that say themselves what `--help` asks. Of the others it is what their file begins with. */
const withHelp = ['start', 'start:services', 'svc', 'topics', 'servers', 'cluster'];

/** Omitted where the program is built: a process that only finds that out is a twentieth of a start. */
const BUILD = [join(root, 'tools/build.mjs'), 'standalone'];

const commands = {
  start: [BUILD, [...nodeOptions, join(root, 'services/standalone/dist/start.mjs'), ...args]],
  'start:services': [[join(root, 'tools/build.mjs')], [join(root, 'tools/start-services.mjs'), ...args]],
  servers: [[join(root, 'rig/servers/servers.mjs'), ...args]],
  cluster: [[join(root, 'rig/kubernetes/cluster.mjs'), ...args]],
  topics: [BUILD, [join(root, 'libs/service/dist/process/create-topics.js'), ...args]],
  svc: [BUILD, [join(root, 'services/standalone/dist/bundle/svc.mjs'), ...args]],
  demo: [BUILD, [join(root, 'tools/demo.mjs'), ...args]],
  simulator: [
    [join(root, 'tools/build.mjs'), 'authority-simulator'],
    [join(root, 'tools/simulator.mjs'), ...args],
  ],
  verify: [[join(root, 'tools/verify/verify.mjs'), ...args]],
  build: [[join(root, 'tools/build.mjs'), ...args]],
  lint: [[join(root, 'tools/lint.mjs'), ...args]],
  test: [[join(root, 'tools/test.mjs'), ...args]],
  'test:servers': [[join(root, 'tools/test-servers.mjs'), ...args]],
  'test:browser': [[join(root, 'tools/test-browser.mjs'), ...args]],
  'test:charts': [[join(root, 'tools/test-charts.mjs'), ...args]],
  'charts:describe': [['--conditions=@svc/source', '--import', '@swc-node/register/esm-register', join(root, 'helm/tools/describe.ts')]],
  gate: [[join(root, 'tools/contracts/gate.mjs'), ...args]],
  charts: [[join(root, 'helm/tools/charts.mjs'), ...args]],
  'test:long': [[join(root, 'tools/test-long.mjs'), ...args]],
  'test:mixed': [[join(root, 'tools/test-mixed.mjs'), ...args]],
  'test:helm': [[join(root, 'tools/test-helm.mjs'), ...args]],
  'drill:restore': [[join(root, 'tools/drill-restore.mjs'), ...args]],
  release: [[join(root, 'tools/release/release.mjs'), ...args]],
  'release:charts': [[join(root, 'tools/release/push-charts.mjs'), ...args]],
  'release:supply': [[join(root, 'tools/release/supply.mjs'), ...args]],
  bench: [[join(root, 'tools/build.mjs')], [join(root, 'bench/run.mjs'), ...args]],
};

const steps = commands[command];
if (!steps) {
  console.error(`no such command: ${command}; there are: ${Object.keys(commands).join(', ')}`);
  process.exit(2);
}

if (args.includes('--help') && !withHelp.includes(command)) {
  const file = steps.at(-1).findLast((part) => part.startsWith(root));
  console.log(/^(\/\/.*\n)+/.exec(readFileSync(file, 'utf8'))[0].replace(/^\/\/ /gm, ''));
  process.exit(0);
}
const { node24, env } = await (ofProduct.includes(command) ? setupProduct() : setup());

let child;
let stopping = false;
// In a terminal a signal reaches the whole group; one that is sent to this process only is forwarded.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
  process.on(signal, () => {
    stopping = true;
    child?.kill(signal);
  });

for (const step of steps) {
  if (step === BUILD && bundled()?.includes('standalone') && arePagesBuilt()) continue;
  child = spawn(node24, step, { cwd: root, env, stdio: 'inherit' });
  const { code, signal } = await new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  if (code !== 0 || stopping) process.exit(code ?? (signal ? 1 : 0));
}
