// npm run test:helm: the charts installed on a real Kubernetes of one node (rig/kubernetes), with the images of this commit and the servers of
// rig/servers: the way to a fiscal code; killed, hung, evicted and added pods, rolling upgrades, a wrong image and rollback under load; uninstall, each chart alone, one process.
// Needs Linux and root. Prints seconds, failed requests and memory. `npm run test:helm -- short`: install, fiscal code, one upgrade and
// uninstall, and nothing where the cluster's programs or the base image are not built yet. `-- sizes`: whole, and what the pods use is written into
// deploy/README.md and the charts' requests.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { imageOf } from '../rig/image/build-image.mjs';
import { HOST } from '../rig/kubernetes/addresses.mjs';
import { nameImage } from '../rig/kubernetes/archives.mjs';
import { baseIsKept } from '../rig/image/store.mjs';
import { openFolder } from '../rig/kubernetes/folder.mjs';
import { eventually, toFiscalCode } from '../rig/kubernetes/installed/fiscal-code.mjs';
import { startEdge, throughEdge } from '../rig/kubernetes/installed/edge.mjs';
import { PER_SECOND, startLoad } from '../rig/kubernetes/installed/load.mjs';
import { makeNamespace, valuesOf } from '../rig/kubernetes/installed/namespace.mjs';
import { tryOneProcess } from '../rig/kubernetes/installed/one-process.mjs';
import { platformIn, SERVICES } from '../rig/kubernetes/installed/platform.mjs';
import { evict, hang, sharesOf } from '../rig/kubernetes/installed/replicas.mjs';
import { startReceiver } from '../rig/kubernetes/installed/receiver.mjs';
import { writeSizes } from '../rig/kubernetes/installed/sizing.mjs';
import { runningNode } from '../rig/kubernetes/node.mjs';
import { areBuilt } from '../rig/kubernetes/programs.mjs';
import { startServers } from '../rig/servers/start-servers.mjs';
import { assembleCharts } from '../helm/tools/charts.mjs';
import { root } from './setup.mjs';
import { openTally } from './tally.mjs';

const [isShort, withSizes] = ['short', 'sizes'].map((word) => process.argv[2] === word);
if (isShort && !(areBuilt() && baseIsKept())) {
  console.log('test:helm not run: not built (npm run cluster -- build)');
  process.exit();
}

const NAMESPACE = 'platform';
const BEHIND = ['invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting'];
const work = mkdtempSync(join(tmpdir(), 'svc-helm-'));
const charts = join(work, 'charts');
const tally = openTally();
const figures = [];
const dir = join(root, '.cluster');
const cluster = (...args) => [join(root, 'rig/kubernetes/cluster.mjs'), ...args, '--dir', dir];
const secondsSince = (started) => ((performance.now() - started) / 1000).toFixed(1);

/** A step that fails with its error; later steps run all the same. */
const step = (name, check) =>
  tally.step(name, () =>
    check().then(
      () => 0,
      (error) => {
        console.error(error.stack);
        return 1;
      },
    ),
  );

let [receiver, servers, programs, platform, call, at, account] = [];

function valuesFile(values, name) {
  const file = join(work, `${name}.json`);
  writeFileSync(file, JSON.stringify(values));
  return file;
}

async function prepare() {
  const printed = execFileSync(process.execPath, cluster('start'), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const environment = Object.fromEntries(
    printed
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  const built = spawnSync(process.execPath, cluster('images', ...(isShort ? SERVICES : [])), { stdio: ['ignore', 2, 2] });
  assert.equal(built.status, 0, 'the images are built and loaded');
  const state = runningNode(openFolder(dir));
  for (const service of isShort ? SERVICES : [...SERVICES, 'standalone'])
    nameImage(state, imageOf(service), imageOf(service).replace(/:[^:]+$/, ':next'));
  servers = await startServers({ dir: join(work, 'servers'), address: HOST, ports: { kafka: 0, mongo: 0, 'event-store': 0 } });
  receiver = await startReceiver();
  assembleCharts(charts);
  const ledgers = join(work, 'ledgers');
  programs = await makeNamespace(environment, servers.env, { namespace: NAMESPACE, ledgers });
  platform = platformIn(programs);
  return { environment, ledgers };
}

const helm = (verb, ...args) => programs.helm(verb, NAMESPACE, ...args);
const umbrella = () => ['--values', join(work, 'umbrella.json'), '--wait', '--timeout', '5m'];
/** Keeps every release: by default Helm forgets the first after ten. */
const upgrade = (...args) =>
  helm('upgrade', join(charts, 'invoicing-platform'), ...umbrella(), '--reuse-values', '--history-max', '0', ...args);

/** Runs `change` under load; prints what failed. Resolves when all submitted invoices have their fiscal codes. */
async function underLoad(what, change, { mayFail = false, perSecond = PER_SECOND } = {}) {
  const load = startLoad(call, account, perSecond);
  await sleep(3000);
  const started = performance.now();
  let error;
  try {
    await change();
  } catch (caught) {
    error = caught;
  }
  const seconds = secondsSince(started);
  await sleep(3000);
  const { sent, failed, slowest, late, submitted } = await load.stop();
  const counts = Object.entries(failed).map(([service, errors]) => `${service} ${errors.length} (${errors[0]})`);
  figures.push(
    `${what}: ${seconds} s, ${sent} requests, failed: ${counts.join(', ') || 'none'}; ${late} over 3 s, the slowest ${slowest} ms`,
  );
  console.log(figures.at(-1));
  if (error) throw error;
  if (!mayFail) assert.deepEqual(failed, {}, `no request fails at ${perSecond} a second`);
  await allRegistered(submitted);
}

/** Nothing that was accepted is lost. */
async function allRegistered(submitted) {
  const left = new Set(submitted);
  const registered = async () => {
    for (const id of left) if ((await call('GET', `/invoices/${id}`)).fiscal_code) left.delete(id);
    return left.size === 0;
  };
  await eventually('the fiscal code of every submitted invoice', registered, 120);
}

/** What the pods use idle and at a rate: the figures of the page on sizing. `npm run test:helm -- sizes` writes them there and into the charts' requests. */
async function measureUsage() {
  const idle = await measured('idle');
  const load = startLoad(call, account);
  await sleep(15_000);
  const loaded = await measured(`at ${PER_SECOND} requests a second`);
  const { failed, late, submitted } = await load.stop();
  assert.deepEqual(failed, {});
  await allRegistered(submitted);
  if (!withSizes) return;
  assert.equal(late, 0, 'other work leaves the pods too little of the machine: what they used is not written');
  const of = (service, what) => ({ idle: idle[service][what], load: loaded[service][what] });
  const used = SERVICES.map((service) => [service, { pods: idle[service].pods, cpu: of(service, 'cpu'), mib: of(service, 'mib') }]);
  writeSizes(Object.fromEntries(used), PER_SECOND);
}

const WINDOW_MS = 45_000;

/** By service: pods, thousandths of a processor of all of them, MiB of the largest. */
async function measured(when) {
  const before = await platform.usage();
  await sleep(WINDOW_MS);
  const after = await platform.usage();
  const busy = platform.busy(before, after);
  const used = SERVICES.map((service) => {
    const pods = after[service];
    return [service, { pods: pods.length, cpu: Math.round(busy[service] * 1000), mib: Math.max(...pods.map(({ mib }) => mib)) }];
  });
  figures.push(`${when}: ${used.map(([service, { pods, cpu, mib }]) => `${service} (${pods}) ${cpu} thousandths, ${mib} MiB`).join('; ')}`);
  return Object.fromEntries(used);
}

async function installEachAlone({ environment, ledgers }) {
  await Promise.all(
    SERVICES.map(async (service, n) => {
      const alone = await makeNamespace(environment, servers.env, { namespace: `only-${service}`, ledgers });
      const values = valuesOf(alone.ports, { service });
      // Its topics are created by its own Job alone.
      values.global.settings.namespace = `alone${n}`;
      const started = performance.now();
      await alone.helm('install', service, join(charts, service), '--values', valuesFile(values, service), '--wait', '--timeout', '5m');
      figures.push(`${service} alone: installed in ${secondsSince(started)} s`);
      await alone.helm('uninstall', service, '--wait', '--timeout', '3m');
    }),
  );
}

const isStandIn = (service) => service === 'authority-simulator';

/** Whoever asks a gateway that is killed loses what it has in hand, unless something before it repeats that; the simulator has one pod. */
async function breakPods() {
  for (const service of SERVICES)
    await step(`a killed pod of ${service} comes back`, () =>
      underLoad(`kill -9 of ${service}`, () => platform.killPodOf(service), { mayFail: service === 'gateway' || isStandIn(service) }),
    );
  await step('a gateway that is killed behind nginx costs no read and no write with a key', killBehindEdge);
  for (const service of BEHIND)
    await step(`a pod of ${service} that hangs fails no request`, () =>
      underLoad(`hung ${service}, 60 s`, async () => hang((await platform.podsOf(service))[0], 60_000)),
    );
  for (const service of ['gateway', ...BEHIND])
    await step(`the pods of ${service} are evicted, as by a drain`, () =>
      underLoad(`eviction of ${service}`, () => evict(programs, platform, service)),
    );
}

async function killBehindEdge() {
  const pods = await platform.podsOf('gateway');
  const edge = await startEdge(pods.map(({ status }) => `${status.podIP}:3000`));
  try {
    const { sent, failed, doubled, slowest } = await throughEdge(at(edge.origin), () => platform.killPodOf('gateway'));
    figures.push(
      `kill -9 of a gateway behind nginx: ${sent} requests, failed: ${failed.length}, doubled: ${doubled}; the slowest ${slowest} ms`,
    );
    console.log(figures.at(-1));
    assert.deepEqual([failed, doubled], [[], 0]);
  } finally {
    edge.stop();
  }
}

/** A pod that is added has its share within 30 s, though the connections of all callers stay open. */
async function addPod() {
  const before = new Set((await platform.podsOf('invoicing')).map(({ metadata }) => metadata.name));
  await upgrade('--set', 'invoicing.replicas=3');
  const shares = await sharesOf(platform, call, account.customer, { perSecond: PER_SECOND, seconds: 30 });
  const percent = Object.entries(shares).map(([pod, share]) => `${(100 * share).toFixed(0)} %${before.has(pod) ? '' : ' (added)'}`);
  figures.push(`events of invoicing in the first 30 s with 3 pods: ${percent.join(', ')}`);
  console.log(figures.at(-1));
  const [[, added]] = Object.entries(shares).filter(([pod]) => !before.has(pod));
  assert.ok(added >= 0.3, `the pod that was added appends ${added}`);
}

async function changeUnderLoad() {
  await step('an image that does not exist leaves the old pods serving, and a rollback ends it', () =>
    underLoad('upgrade to a missing image and rollback', async () => {
      const [{ revision }] = JSON.parse(await programs.helm('list', '--output', 'json'));
      await assert.rejects(upgrade('--set', 'gateway.image.tag=none,invoicing.image.tag=none,global.topics.by=none', '--timeout', '30s'));
      await helm('rollback', revision, '--wait', '--timeout', '3m');
    }),
  );
  await step('invoicing is scaled to 3 and back under load', () =>
    underLoad('invoicing to 3 and back', async () => {
      await upgrade('--set', 'invoicing.replicas=3');
      assert.equal((await platform.podsOf('invoicing')).length, 3);
      await upgrade('--set', 'invoicing.replicas=2');
    }),
  );
  await step('a pod of invoicing that is added gets its share', addPod);
  // Eleven pods start at once, on the processors that all the others and the servers have.
  await step('a rollback to the first release', () =>
    underLoad('rollback', () => helm('rollback', '1', '--wait', '--timeout', '5m'), { perSecond: PER_SECOND / 4 }),
  );
}

async function run() {
  let prepared;
  if (!(await step('cluster, images, servers', async () => void (prepared = await prepare())))) return;
  writeFileSync(join(work, 'umbrella.json'), JSON.stringify(valuesOf(programs.ports, { receiver: receiver.origin })));
  const before = await platform.objects();
  let notes = '';

  const installed = await step('helm install --wait in a restricted namespace', async () => {
    const started = performance.now();
    await helm('install', join(charts, 'invoicing-platform'), ...umbrella());
    figures.push(`install: ${secondsSince(started)} s`);
    notes = await programs.helm('get', 'notes', NAMESPACE);
  });
  if (!installed) return void console.log(await programs.kubectl('get', 'pods,jobs,events'));
  await step('an account by svc admin, a customer, an invoice, its fiscal code, a webhook', async () => {
    ({ call, at } = await platform.openAccount());
    account = await toFiscalCode(call, receiver);
  });
  if (!account) return;
  if (!isShort) {
    await step('processor and memory, idle and under load', measureUsage);
    await breakPods();
  }
  for (const service of isShort ? ['invoicing'] : SERVICES)
    await step(`${service} is upgraded under load`, () =>
      underLoad(`upgrade of ${service}`, () => upgrade('--set', `${service}.image.tag=next`), {
        mayFail: isStandIn(service),
        perSecond: isShort ? PER_SECOND / 2 : PER_SECOND,
      }),
    );
  if (!isShort) await changeUnderLoad();
  await step('uninstall leaves only what NOTES names', async () => {
    await helm('uninstall', '--wait', '--timeout', '3m');
    let left;
    const onlyWhatIsNamed = async () => {
      left = [...(await platform.objects())].filter((name) => !before.has(name));
      return left.every((name) => notes.includes(name));
    };
    // A pod ends after its grace period at the latest.
    await eventually('the end of the pods', onlyWhatIsNamed, 120).catch(() => assert.fail(`left after uninstall: ${left.join(', ')}`));
    figures.push(`left after uninstall: ${left.join(', ') || 'nothing'}`);
  });
  if (isShort) return;
  await step('each chart is installed alone', () => installEachAlone(prepared));
  await step('one process by its chart: a document outlives kill -9 and an upgrade', async () => {
    const image = imageOf('standalone');
    figures.push(...(await tryOneProcess(prepared.environment, { folder: join(work, 'one-process'), image, next: 'next' })));
  });
}

function end() {
  receiver?.close();
  if (servers) spawnSync(process.execPath, [join(root, 'rig/servers/servers.mjs'), 'stop', '--dir', join(work, 'servers')]);
  spawnSync(process.execPath, cluster('stop'), { stdio: 'inherit' });
  rmSync(work, { recursive: true, force: true });
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
  process.once(signal, () => {
    end();
    process.exit(1);
  });

try {
  await run();
} finally {
  console.log(`\n${figures.join('\n')}`);
  end();
}
tally.end();
