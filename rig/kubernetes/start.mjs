// Starts the parts of Kubernetes in a new node, each after those that it needs.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { NODE, SERVICES } from './addresses.mjs';
import { loadArchives, pauseArchive } from './archives.mjs';
import { makeKeys } from './keys.mjs';
import { inNode, makeNode, startPart } from './node.mjs';
import { objects } from './objects.mjs';
import { kubectlOf } from './programs.mjs';
import { until } from './run.mjs';
import { makeSettings, SOCKET } from './settings.mjs';

const ETCD = 'http://127.0.0.1:2379';

/**
 * Resolves when the node is ready and names are answered.
 *
 * @param {import('./folder.mjs').Folder} folder
 * @param {string} bin folder of the programs
 */
export async function startCluster(folder, bin) {
  const started = Date.now();
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  folder.clear();
  folder.write('state.json', {});
  mkdirSync(folder.at('logs'));
  makeKeys(folder);
  makeSettings(folder);
  const state = await makeNode(folder);
  const part = (name, ...args) => startPart(folder, state, name, join(bin, 'kubernetes'), [name, ...args]);
  const config = (name) => folder.at(`${name}.kubeconfig`);
  const kubectl = kubectlOf(bin, config('admin'));

  startPart(folder, state, 'containerd', 'containerd', ['--config', folder.at('containerd.toml')]);
  part('etcd', ...etcd(folder));
  part('apiserver', ...apiserver(folder));
  await until('the API server', () => kubectl(['get', '--raw', '/readyz']) === 'ok');
  console.error(`API server ready after ${seconds()}`);
  part('manager', ...manager(folder));
  part('scheduler', `--kubeconfig=${config('scheduler')}`, '--leader-elect=false');
  await until('containerd', () => inNode(state, ['ctr', '-a', SOCKET, 'version'], { stdio: 'pipe' }));
  loadArchives(state, [pauseArchive(bin)]);
  const node = ['--hostname-override=node', `--node-ip=${NODE}`];
  part('kubelet', `--config=${folder.at('kubelet.json')}`, `--kubeconfig=${config('node')}`, ...node);
  part('proxy', `--config=${folder.at('proxy.json')}`);
  kubectl(['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }) });
  part('dns', '-conf', folder.at('dns.conf'));
  part('balancer', config('balancer'), NODE);
  await until('the node', () => kubectl(['wait', '--for=condition=Ready', 'node/node', '--timeout=1s']));
  await until('cluster DNS', async () => (await fetch(`http://${NODE}:8181/ready`)).ok);
  await until('the default service account', () => kubectl(['get', 'serviceaccount', 'default', '-n', 'default']));
  console.error(`node ready after ${seconds()}`);
}

/** It does not wait for the disk: its data lives as long as the node. */
const etcd = (folder) => [
  ...['--data-dir', folder.at('etcd'), '--unsafe-no-fsync'],
  ...['--listen-client-urls', ETCD, '--advertise-client-urls', ETCD, '--listen-peer-urls', 'http://127.0.0.1:2380'],
];

const apiserver = ({ at }) => [
  `--etcd-servers=${ETCD}`,
  '--secure-port=6443',
  `--advertise-address=${NODE}`,
  `--tls-cert-file=${at('keys/apiserver.crt')}`,
  `--tls-private-key-file=${at('keys/apiserver.key')}`,
  `--client-ca-file=${at('keys/ca.crt')}`,
  '--authorization-mode=Node,RBAC',
  '--enable-admission-plugins=NodeRestriction',
  '--allow-privileged=true',
  `--kubelet-client-certificate=${at('keys/admin.crt')}`,
  `--kubelet-client-key=${at('keys/admin.key')}`,
  `--kubelet-certificate-authority=${at('keys/ca.crt')}`,
  '--kubelet-preferred-address-types=InternalIP',
  '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
  `--service-account-key-file=${at('keys/accounts.pub')}`,
  `--service-account-signing-key-file=${at('keys/accounts.key')}`,
  `--service-cluster-ip-range=${SERVICES}`,
];

const manager = ({ at }) => [
  `--kubeconfig=${at('manager.kubeconfig')}`,
  '--leader-elect=false',
  '--use-service-account-credentials=true',
  `--service-account-private-key-file=${at('keys/accounts.key')}`,
  `--root-ca-file=${at('keys/ca.crt')}`,
  `--cluster-signing-cert-file=${at('keys/ca.crt')}`,
  `--cluster-signing-key-file=${at('keys/ca.key')}`,
];
