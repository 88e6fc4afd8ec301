// The umbrella in a namespace: what an operator does with it, and what the test reads of it.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './load.mjs';

export const SERVICES = ['gateway', 'invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting', 'authority-simulator'];
/** An enterprise account's own limits: the load stays far below. */
const LIMITS = { plan: 100_000, burst: 10_000, submit: 10_000, receipts: 10_000, reports: 10_000 };

/**
 * @param {import('./programs.mjs').Programs} programs
 */
export function platformIn({ kubectl, get }) {
  /** An account as NOTES says, and a client with its test key at the gateway's Service. */
  async function openAccount() {
    const { spec } = await get('service', 'gateway');
    const origin = `http://${spec.clusterIP}:${spec.ports[0].port}`;
    const options = ['--name', 'Enterprise', '--plan', 'enterprise', '--limits', JSON.stringify(LIMITS)];
    const account = JSON.parse(await kubectl('exec', 'deploy/gateway', '--', 'svc', 'admin', 'accounts', 'create', ...options));
    return clientOf(origin, account.test_key);
  }

  const podsOf = async (service) => {
    const { items } = await get('pods', `--selector=app.kubernetes.io/name=${service},app.kubernetes.io/component!=topics`);
    return items.filter(({ metadata }) => !metadata.deletionTimestamp);
  };

  /** Ends the process of a pod as a crash does, and resolves when the service has all its pods again. */
  async function killPodOf(service) {
    const [{ metadata }] = await podsOf(service);
    await kubectl('delete', 'pod', metadata.name, '--grace-period=0', '--force', '--wait=false');
    await sleep(1000);
    await kubectl('rollout', 'status', `deployment/${service}`, '--timeout=180s');
  }

  /** MiB of each pod as kubelet counts them, the highest of a service first. */
  async function memory() {
    const { pods } = JSON.parse(await kubectl('get', '--raw', '/api/v1/nodes/node/proxy/stats/summary'));
    const mine = new Set((await get('pods')).items.map(({ metadata }) => metadata.name));
    const used = pods
      .filter(({ podRef, memory }) => mine.has(podRef.name) && memory?.workingSetBytes)
      .map(({ podRef, memory }) => [podRef.name, memory.workingSetBytes >> 20]);
    return Object.fromEntries(
      SERVICES.map((service) => [
        service,
        used
          .filter(([name]) => name.startsWith(`${service}-`))
          .map(([, mib]) => mib)
          .sort((a, b) => b - a),
      ]),
    );
  }

  /** Everything in the namespace but events and what every namespace has. */
  async function objects() {
    const kinds = await kubectl('api-resources', '--namespaced', '--verbs=list', '--output=name');
    const listed = kinds.split('\n').filter((kind) => !/^events(\.|$)/.test(kind));
    const names = (await kubectl('get', listed.join(), '--output=name', '--ignore-not-found')).split('\n').filter(Boolean);
    return new Set(names.filter((name) => !/^(configmap\/kube-root-ca.crt|serviceaccount\/default)$/.test(name)));
  }

  return { openAccount, podsOf, killPodOf, memory, objects };
}
