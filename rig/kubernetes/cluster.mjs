// npm run cluster -- start | stop | status | build | images. See --help and README.md.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeBase } from '../image/base.mjs';
import { buildImage, imageOf, programs } from '../image/build-image.mjs';
import { openStore } from '../image/store.mjs';
import { loadArchives } from './archives.mjs';
import { NODE } from './addresses.mjs';
import { removeGroups } from './cgroups.mjs';
import { openFolder } from './folder.mjs';
import { anotherRuns, runningNode } from './node.mjs';
import { buildPrograms, installPackages, kubectlOf } from './programs.mjs';
import { until } from './run.mjs';
import { startCluster } from './start.mjs';
import { startedAt } from '../servers/process/proc.mjs';

const HELP = `A Kubernetes of one node, without Docker, for tests. One a machine; Linux, root, Debian's packages, Go 1.25.

  build             builds its programs and the base image: 15 to 30 minutes the first time, then kept in ~/.cache/kubernetes-node
  start             returns when the node is ready; prints KUBECONFIG=…, NODE_ADDRESS=…, PROGRAMS=… (the folder of helm and kubectl)
  images [NAME …]   builds the images of the services and of the one process (standalone), all or those named, and loads them into the node, if it runs
  status            its parts, nodes and pods; ends 1 unless it runs
  stop              ends it and removes its folder

  --dir DIR         holds everything of it but what is kept; .cluster in the repository
`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { dir: { type: 'string', default: join(import.meta.dirname, '..', '..', '.cluster') }, help: { type: 'boolean' } },
});
const [command = 'help', ...names] = positionals;
const folder = openFolder(values.dir);

function prepare() {
  if (process.platform !== 'linux' || process.getuid() !== 0)
    throw new Error('It needs Linux and root, for namespaces, a bridge and cgroups.');
  installPackages();
  return buildPrograms();
}

const print = (bin) => console.log(`KUBECONFIG=${folder.at('admin.kubeconfig')}\nNODE_ADDRESS=${NODE}\nPROGRAMS=${bin}`);

const commands = {
  help: () => console.log(HELP),
  build() {
    console.log(`PROGRAMS=${prepare()}`);
    makeBase(openStore());
  },
  async start() {
    if (runningNode(folder)) throw new Error(`It runs already: npm run cluster -- stop --dir ${folder.root}`);
    if (anotherRuns()) throw new Error('Another one runs on this machine, with another --dir.');
    const bin = prepare();
    await startCluster(folder, bin);
    print(bin);
  },
  images() {
    prepare();
    const unknown = names.filter((name) => !programs.includes(name));
    if (unknown.length > 0) throw new Error(`no such service: ${unknown.join(', ')}; there are ${programs.join(', ')}`);
    const store = openStore();
    makeBase(store);
    const state = runningNode(folder);
    for (const service of names.length > 0 ? names : programs) {
      buildImage(store, service);
      if (state) loadImage(store, state, service);
    }
  },
  status() {
    const state = runningNode(folder);
    if (!state) {
      console.log('stopped');
      process.exitCode = 1;
      return;
    }
    for (const [name, pid] of Object.entries(state.parts))
      console.log(`${name}: ${startedAt(pid) ? 'runs' : `ended, see ${folder.at('logs', name)}.log`}`);
    const bin = buildPrograms();
    console.log(kubectlOf(bin, folder.at('admin.kubeconfig'))(['get', 'nodes,pods', '--all-namespaces', '--output=wide']));
    print(bin);
  },
  async stop() {
    const state = runningNode(folder);
    if (state) {
      process.kill(state.pid, 'SIGKILL');
      await until('the end of the node', () => startedAt(state.pid) !== state.started, 30);
    }
    await until('the end of its processes', () => (removeGroups(), true), 30);
    folder.clear();
  },
};

function loadImage(store, state, service) {
  const archive = folder.at('images', `${service}.tar`);
  store.write(imageOf(service), archive);
  loadArchives(state, [archive]);
  rmSync(archive);
}

try {
  if (values.help) commands.help();
  else if (!Object.hasOwn(commands, command)) throw new Error(`no such command: ${command}\n\n${HELP}`);
  else await commands[command]();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
