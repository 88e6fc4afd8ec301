// Keys and certificates of a node, and the identities of its parts.
import { mkdirSync, readFileSync } from 'node:fs';
import { API, NODE } from './addresses.mjs';
import { run } from './run.mjs';

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '365'];
const API_NAMES = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'];

const CLIENTS = {
  admin: '/O=system:masters/CN=admin',
  manager: '/CN=system:kube-controller-manager',
  scheduler: '/CN=system:kube-scheduler',
  node: '/O=system:nodes/CN=system:node:node',
  proxy: '/CN=system:kube-proxy',
  dns: '/CN=cluster-dns',
  balancer: '/CN=balancer',
};

/** Writes `keys/` and a kubeconfig for each client. @param {import('./folder.mjs').Folder} folder */
export function makeKeys(folder) {
  mkdirSync(folder.at('keys'));
  const openssl = (...args) => run('openssl', args, { cwd: folder.at('keys'), stdio: ['ignore', 'pipe', 'ignore'] });
  openssl('req', '-x509', ...EC, '-subj', '/CN=kubernetes', '-keyout', 'ca.key', '-out', 'ca.crt');
  const sign = (name, subject, names) => {
    const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-subj', subject, '-keyout', `${name}.key`, '-out', `${name}.crt`];
    const extensions = ['basicConstraints=critical,CA:FALSE', ...(names ? [`subjectAltName=${names}`] : [])];
    openssl('req', '-x509', ...EC, ...signed, ...extensions.flatMap((extension) => ['-addext', extension]));
  };
  sign('apiserver', '/CN=kube-apiserver', [...API_NAMES.map((name) => `DNS:${name}`), `IP:${API}`, `IP:${NODE}`].join());
  sign('kubelet', '/CN=node', `DNS:node,IP:${NODE}`);
  openssl('genrsa', '-out', 'accounts.key', '2048');
  openssl('rsa', '-in', 'accounts.key', '-pubout', '-out', 'accounts.pub');
  for (const [name, subject] of Object.entries(CLIENTS)) {
    sign(name, subject);
    folder.write(
      `${name}.kubeconfig`,
      kubeconfig(name, (file) => readFileSync(folder.at('keys', file)).toString('base64')),
    );
  }
}

const kubeconfig = (name, encoded) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'node', cluster: { server: `https://${NODE}:6443`, 'certificate-authority-data': encoded('ca.crt') } }],
  users: [{ name, user: { 'client-certificate-data': encoded(`${name}.crt`), 'client-key-data': encoded(`${name}.key`) } }],
  contexts: [{ name: 'node', context: { cluster: 'node', user: name } }],
  'current-context': 'node',
});
