// npm run test:helm: the charts installed on a real Kubernetes of one node (rig/kubernetes), with the images of this commit and the servers of
// rig/servers: the way to a fiscal code, killed pods, rolling upgrades under load, a wrong image, rollback, scaling, uninstall, each chart alone.
// Needs Linux and root. Prints seconds, failed requests and memory. `npm run test:helm -- short`: install, fiscal code, one upgrade and
// uninstall, and nothing where the cluster's programs or the base image are not built yet.
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
import { PER_SECOND, startLoad } from '../rig/kubernetes/installed/load.mjs';
import { makeNamespace, valuesOf } from '../rig/kubernetes/installed/namespace.mjs';
import { platformIn, SERVICES } from '../rig/kubernetes/installed/platform.mjs';
import { startReceiver } from '../rig/kubernetes/installed/receiver.mjs';
import { runningNode } from '../rig/kubernetes/node.mjs';
import { areBuilt } from '../rig/kubernetes/programs.mjs';
import { startServers } from '../rig/servers/start-servers.mjs';
import { assembleCharts } from '../helm/tools/charts.mjs';
import { root } from './setup.mjs';
import { openTally } from './tally.mjs';

const isShort = process.argv[2] === 'short';
if (isShort && !(areBuilt() && baseIsKept())) {
  console.log('test:helm not run: not built (npm run cluster -- build)');
  process.exit();
}

const NAMESPACE = 'platform';
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

let [receiver, servers, programs, platform, call, account] = [];

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
  const built = spawnSync(process.execPath, cluster('images'), { stdio: ['ignore', 2, 2] });
  assert.equal(built.status, 0, 'the images are built and loaded');
  const state = runningNode(openFolder(dir));
  for (const service of SERVICES) nameImage(state, imageOf(service), imageOf(service).replace(/:[^:]+$/, ':next'));
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
  const { sent, failed, slowest, submitted } = await load.stop();
  const counts = Object.entries(failed).map(([service, errors]) => `${service} ${errors.length} (${errors[0]})`);
  figures.push(`${what}: ${seconds} s, ${sent} requests, failed: ${counts.join(', ') || 'none'}; the slowest ${slowest} ms`);
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

const mib = (usage) => SERVICES.map((service) => `${service} ${usage[service].map((pod) => pod.mib).join('/')}`).join(', ');
const thousandths = (busy) => SERVICES.map((service) => `${service} ${Math.round(busy[service] * 1000)}`).join(', ');

/** What the pods use idle and at several rates: the figures of the page on sizing. */
async function measureUsage() {
  const window = 45_000;
  let before = await platform.usage();
  await sleep(window);
  figures.push(`processor idle, thousandths: ${thousandths(platform.busy(before, await platform.usage()))}`);
  for (const perSecond of [10, PER_SECOND]) {
    const load = startLoad(call, account, perSecond);
    await sleep(15_000);
    before = await platform.usage();
    await sleep(window);
    const after = await platform.usage();
    const { sent, failed, slowest, submitted } = await load.stop();
    assert.deepEqual(failed, {});
    await allRegistered(submitted);
    figures.push(`at ${perSecond} requests a second (${sent}, ${submitted.length} invoices submitted, the slowest ${slowest} ms):`);
    figures.push(`  processor, thousandths: ${thousandths(platform.busy(before, after))}`, `  memory of each pod, MiB: ${mib(after)}`);
  }
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

async function killPods() {
  for (const service of SERVICES)
    await step(`a killed pod of ${service} comes back`, async () => {
      await underLoad(`kill -9 of ${service}`, () => platform.killPodOf(service), { mayFail: true });
    });
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
    call = await platform.openAccount();
    account = await toFiscalCode(call, receiver);
    figures.push(`memory of each pod idle, MiB: ${mib(await platform.usage())}`);
  });
  if (!account) return;
  if (!isShort) {
    await step('processor and memory, idle and under load', measureUsage);
    await killPods();
  }
  for (const service of isShort ? ['invoicing'] : SERVICES)
    await step(`${service} is upgraded under load`, () =>
      underLoad(`upgrade of ${service}`, () => upgrade('--set', `${service}.image.tag=next`), {
        mayFail: service === 'authority-simulator',
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
  if (!isShort) await step('each chart is installed alone', () => installEachAlone(prepared));
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
