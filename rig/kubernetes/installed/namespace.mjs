// A namespace as the charts need it: restricted pods, the servers by name, a Secret for each service, a volume for the simulator's ledger.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOST } from '../addresses.mjs';
import { serviceOutside } from '../objects.mjs';
import { programsIn } from './programs.mjs';

const NODE = 1000;
const STREAMS = ['invoicing', 'fiscal-submission'];
const BEHIND_KAFKA = ['gateway', 'invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting'];
const makeSecrets = join(import.meta.dirname, '..', '..', '..', 'deploy', 'compose', 'make-secrets.mjs');

/** The host's servers by names of the namespace; each has the port that it has on the host. */
const servers = ({ KAFKA_BROKERS, MONGODB_URL, EVENT_STORE_URL }) => ({
  kafka: Number(KAFKA_BROKERS.split(':')[1]),
  mongo: Number(new URL(MONGODB_URL).port),
  'event-store': Number(new URL(EVENT_STORE_URL).port),
});

/**
 * @param {{ KUBECONFIG: string, PROGRAMS: string }} cluster
 * @param {Record<string, string>} env addresses of the servers
 * @param {{ namespace: string, ledgers: string }} options ledgers: folder of the host for volumes
 */
export async function makeNamespace(cluster, env, { namespace, ledgers }) {
  const programs = programsIn(cluster, namespace);
  const ports = servers(env);
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await programs.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } });
  await programs.apply(
    ...Object.entries(ports).flatMap(([name, port]) =>
      serviceOutside({ name, namespace, address: HOST, ports: [{ name, protocol: 'TCP', port }] }),
    ),
    ...secrets(ports).map(([name, stringData]) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData })),
    volume(namespace, ledgers),
  );
  return { ...programs, ports };
}

/** Each service's own, by the names of its settings. */
function secrets(ports) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-secrets-'));
  try {
    execFileSync(process.execPath, [makeSecrets, folder], { stdio: 'ignore' });
    return BEHIND_KAFKA.map((service) => {
      const lines = readFileSync(join(folder, service, 'env'), 'utf8')
        .trim()
        .split('\n');
      const own = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
      const urls = {
        MONGODB_URL: `mongodb://mongo:${ports.mongo}/?replicaSet=rs0`,
        ...(STREAMS.includes(service) && { EVENT_STORE_URL: `esdb://event-store:${ports['event-store']}?tls=false` }),
      };
      return [service, { ...own, ...urls, OPS_TOKEN: randomBytes(24).toString('base64url') }];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** There is no storage class: the claim of the simulator is bound to a folder of the host. */
function volume(namespace, ledgers) {
  const path = join(ledgers, namespace);
  mkdirSync(path, { recursive: true });
  chownSync(path, NODE, NODE);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `ledger-${namespace}` },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      storageClassName: '',
      claimRef: { namespace, name: 'authority-simulator' },
      hostPath: { path },
    },
  };
}

/** Values of the umbrella, or of a chart alone, for this cluster: few processors, no registry, http. */
export function valuesOf(ports, { service, publicUrl = 'http://gateway:3000', receiver } = {}) {
  const resources = { requests: { cpu: '10m' } };
  const own = (name) => ({
    resources,
    ...(name === 'authority-simulator' ? { enabled: true, persistence: { storageClass: '-' } } : { existingSecret: { name } }),
    ...(name === 'gateway' && { settings: { requireHttps: false } }),
    ...(name === 'webhooks-dispatcher' && receiver && { development: { enabled: true, webhooksAllow: receiver } }),
    ...(name === 'fiscal-submission' && receiver && { development: { enabled: true, authorityPace: 'fast' } }),
  });
  const global = {
    image: { registry: 'localhost' },
    settings: { kafkaBrokers: `kafka:${ports.kafka}`, publicUrl, simulatorUrl: 'http://authority-simulator:3002' },
    networkPolicy: { mongodb: { ports: [ports.mongo] }, eventStore: { ports: [ports['event-store']] } },
  };
  if (service) return { global, ...own(service) };
  return { global, ...Object.fromEntries([...BEHIND_KAFKA, 'authority-simulator'].map((name) => [name, own(name)])) };
}
