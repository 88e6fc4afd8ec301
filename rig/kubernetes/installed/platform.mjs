// The umbrella in a namespace: what an operator does with it, and what the test reads of it.
import { processesOf } from '../cgroups.mjs';
import { eventually } from './fiscal-code.mjs';
import { clientOf } from './load.mjs';

export const SERVICES = ['gateway', 'invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting', 'authority-simulator'];
/** An enterprise account's own limits: the load stays far below. */
const LIMITS = { plan: 100_000, burst: 10_000, submit: 10_000, receipts: 10_000, reports: 10_000 };

/**
 * @param {import('./programs.mjs').Programs} programs
 */
export function platformIn({ kubectl, get }) {
  /** An account as NOTES says: clients with its test key at the gateway's Service, and at another origin. */
  async function openAccount() {
    const { spec } = await get('service', 'gateway');
    const origin = `http://${spec.clusterIP}:${spec.ports[0].port}`;
    const options = ['--name', 'Enterprise', '--plan', 'enterprise', '--limits', JSON.stringify(LIMITS)];
    const account = JSON.parse(await kubectl('exec', 'deploy/gateway', '--', 'svc', 'admin', 'accounts', 'create', ...options));
    return { call: clientOf(origin, account.test_key), at: (other) => clientOf(other, account.test_key) };
  }

  const podsOf = async (service) => {
    const { items } = await get('pods', `--selector=app.kubernetes.io/name=${service},app.kubernetes.io/component!=topics`);
    return items.filter(({ metadata }) => !metadata.deletionTimestamp);
  };

  /** Kills the processes of a pod by SIGKILL, and resolves when its container runs again and is ready. */
  async function killPodOf(service) {
    const [{ metadata }] = await podsOf(service);
    for (const pid of processesOf(metadata.uid)) process.kill(pid, 'SIGKILL');
    await eventually(
      `${metadata.name} to start again`,
      async () => {
        const [container] = (await get('pod', metadata.name)).status.containerStatuses;
        return container.restartCount > 0 && container.ready;
      },
      180,
    );
  }

  /** What kubelet counted of each pod, by service: MiB, and the processor's seconds until `at`. It knows a new pod's some seconds late. */
  const usage = () =>
    eventually('the usage of every pod', async () => {
      const { pods } = JSON.parse(await kubectl('get', '--raw', '/api/v1/nodes/node/proxy/stats/summary'));
      const counted = new Map(pods.map(({ podRef, memory, cpu }) => [podRef.uid, { memory, cpu }]));
      const used = {};
      for (const service of SERVICES) {
        const mine = (await podsOf(service)).map(({ metadata }) => counted.get(metadata.uid));
        if (mine.length === 0 || mine.some((of) => !of?.memory?.workingSetBytes || !of.cpu?.usageCoreNanoSeconds)) return undefined;
        used[service] = mine.map(({ memory, cpu }) => ({
          mib: memory.workingSetBytes >> 20,
          seconds: cpu.usageCoreNanoSeconds / 1e9,
          at: Date.parse(cpu.time) / 1000,
        }));
      }
      return used;
    });

  /** The processor's seconds in a second of each service, between two usages of the same pods. */
  const busy = (before, after) =>
    Object.fromEntries(
      SERVICES.map((service) => {
        const rates = after[service].map(({ seconds, at }, n) => (seconds - before[service][n].seconds) / (at - before[service][n].at));
        return [service, rates.reduce((sum, rate) => sum + rate, 0)];
      }),
    );

  /** Everything in the namespace but events and what every namespace has. */
  async function objects() {
    const kinds = await kubectl('api-resources', '--namespaced', '--verbs=list', '--output=name');
    const listed = kinds.split('\n').filter((kind) => !/^events(\.|$)/.test(kind));
    const names = (await kubectl('get', listed.join(), '--output=name', '--ignore-not-found')).split('\n').filter(Boolean);
    return new Set(names.filter((name) => !/^(configmap\/kube-root-ca.crt|serviceaccount\/default)$/.test(name)));
  }

  return { openAccount, podsOf, killPodOf, usage, busy, objects };
}
