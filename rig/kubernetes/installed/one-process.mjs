// The chart of the one process: installed, killed and upgraded, with a document that outlives both.
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { processesOf } from '../cgroups.mjs';
import { anotherCode, eventually } from './fiscal-code.mjs';
import { clientOf } from './load.mjs';
import { programsIn } from './programs.mjs';

const [NAMESPACE, RELEASE, NODE] = ['one', 'billing', 1000];
const CHART = join(import.meta.dirname, '..', '..', '..', 'deploy', 'one-process');

/**
 * @param {{ KUBECONFIG: string, PROGRAMS: string }} cluster
 * @param {{ folder: string, image: string, next: string }} options folder: of the host, for the volume; next: another tag of the image
 */
export async function tryOneProcess(cluster, { folder, image, next }) {
  const programs = programsIn(cluster, NAMESPACE);
  const { kubectl, helm, get, apply } = programs;
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE, labels } }, volumeAt(folder));
  const [repository] = image.split(/:(?=[^:/]+$)/);
  const values = ['--set', `publicUrl=http://billing.example.com,image.repository=${repository},persistence.storageClass=-`];
  const began = performance.now();
  const since = (started) => ((performance.now() - started) / 1000).toFixed(1);
  await helm('install', RELEASE, CHART, ...values, '--wait', '--timeout', '5m');
  const figures = [`one process: installed in ${since(began)} s`];

  const { spec } = await get('service', RELEASE);
  const keys = JSON.parse(await kubectl('exec', `deploy/${RELEASE}`, '--', 'cat', '/app/data/folder/first-keys.json'));
  const call = clientOf(`http://${spec.clusterIP}:${spec.ports[0].port}`, keys.test_key);
  const customer = await call('POST', '/customers', { name: 'Blue Door Books' });
  const { id, number } = await anotherCode(call, customer.id);
  const isThere = async () => (await call('GET', `/invoices/${id}`)).number === number;

  const pod = async () => (await get('pods', `--selector=app.kubernetes.io/instance=${RELEASE}`)).items[0];
  const killed = performance.now();
  for (const pid of processesOf((await pod()).metadata.uid)) process.kill(pid, 'SIGKILL');
  await eventually('the document after a kill', isThere, 120);
  figures.push(`one process: serves ${since(killed)} s after kill -9`);
  const upgraded = performance.now();
  await helm('upgrade', RELEASE, CHART, ...values, '--set', `image.tag=${next}`, '--wait', '--timeout', '5m');
  await eventually('the document after the upgrade', isThere, 60);
  figures.push(`one process: upgraded in ${since(upgraded)} s`);
  await anotherCode(call, customer.id);
  await helm('uninstall', RELEASE, '--wait', '--timeout', '3m');
  const { items } = await get('persistentvolumeclaims');
  if (!items.some(({ metadata }) => metadata.name === RELEASE)) throw new Error('the claim with the documents went with the release');
  return figures;
}

/** Of its claim. A folder of the host has no owner by fsGroup. */
function volumeAt(path) {
  mkdirSync(path, { recursive: true });
  chownSync(path, NODE, NODE);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'one-process' },
    spec: {
      capacity: { storage: '20Gi' },
      accessModes: ['ReadWriteOncePod'],
      persistentVolumeReclaimPolicy: 'Retain',
      storageClassName: '',
      claimRef: { namespace: NAMESPACE, name: RELEASE },
      hostPath: { path },
    },
  };
}
