// Faults of one pod among several, and how the pods share what there is to do.
import { setTimeout as sleep } from 'node:timers/promises';
import { processesOf } from '../cgroups.mjs';
import { eventually } from './fiscal-code.mjs';

const item = { description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 };

/** Stops the processes of a pod from running for so long. Its kernel goes on taking connections. Kubernetes may replace its container meanwhile. */
export async function hang({ metadata }, ms) {
  const stopped = processesOf(metadata.uid);
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  await sleep(ms);
  for (const pid of stopped)
    try {
      process.kill(pid, 'SIGCONT');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
}

/**
 * Evicts each pod of a service, as `kubectl drain` does: one after the other, when its disruption budget lets it go.
 *
 * @param {import('./programs.mjs').Programs} programs
 * @param {ReturnType<typeof import('./platform.mjs').platformIn>} platform
 */
export async function evict({ namespace, create, get }, platform, service) {
  const pods = await platform.podsOf(service);
  for (const { metadata } of pods) {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: metadata.name, namespace } };
    await eventually(
      `the eviction of ${metadata.name}`,
      () => create(`/api/v1/namespaces/${namespace}/pods/${metadata.name}/eviction`, eviction).then(() => true),
      120,
    );
  }
  await eventually(
    `as many pods of ${service} as before`,
    async () => {
      const { status } = await get('deployment', service);
      return status.availableReplicas === pods.length && status.replicas === pods.length;
    },
    120,
  );
}

/** Events that the pods of invoicing have appended, by pod. */
async function appended(platform) {
  const pods = await platform.podsOf('invoicing');
  const counts = pods.map(async ({ metadata, status }) => {
    const text = await (await fetch(`http://${status.podIP}:3001/metrics`)).text();
    const lines = text.match(/^svc_events_appended_total\S* \d+/gm) ?? [];
    return [metadata.name, lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)];
  });
  return Object.fromEntries(await Promise.all(counts));
}

/**
 * Creates drafts on connections that stay open, at a steady rate for so long, and resolves to each pod's share of the events of that time, of 1.
 *
 * @param {ReturnType<typeof import('./load.mjs').clientOf>} call
 */
export async function sharesOf(platform, call, customer, { perSecond, seconds }) {
  const draft = { customer_id: customer, currency: 'EUR', items: [item] };
  const before = await appended(platform);
  const under = [];
  for (let n = 0; n < perSecond * seconds; n += 1) {
    under.push(call('POST', '/invoices', draft, { connection: 'keep-alive' }));
    await sleep(1000 / perSecond);
  }
  await Promise.all(under);
  const after = await appended(platform);
  const added = Object.entries(after).map(([pod, count]) => [pod, count - (before[pod] ?? 0)]);
  const all = added.reduce((sum, [, count]) => sum + count, 0);
  return Object.fromEntries(added.map(([pod, count]) => [pod, count / all]));
}
