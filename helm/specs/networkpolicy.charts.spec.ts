import { isPublicAddress } from '@svc/webhooks-dispatcher/sending/public-address';
import type { NetworkPolicy, PodTemplate } from '../testing/manifests.ts';
import { isAllowed, type Connection, type Place } from '../testing/reach.ts';
import { get, render, renderExample, withSimulator, type Values } from '../testing/render.ts';
import { allCharts, productCharts } from '../testing/services.ts';

const named = (name: string): Record<string, string> => ({ 'kubernetes.io/metadata.name': name });
const home = named('billing');
const elsewhere = (namespace: string, pod = {}): Place => ({ namespace: named(namespace), pod });
const outside = (address: string): Place => ({ address });

/** The policies of a system, and its pods by name, those of its Jobs too. */
function systemOf(manifests: ReturnType<typeof render>) {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy') as NetworkPolicy[];
  const workloads = manifests.filter(({ kind }) => ['Deployment', 'Job'].includes(kind)) as ((typeof manifests)[0] & {
    spec: { template: PodTemplate };
  })[];
  const pods = new Map(workloads.map(({ metadata, spec }) => [metadata.name, { namespace: home, pod: spec.template.metadata.labels }]));
  const podOf = (name: string): Place => pods.get(name) ?? { namespace: home, pod: { app: name } };
  return { pods, podOf, allows: (connection: Connection) => isAllowed(policies, home, connection) };
}

const system = systemOf(renderExample('monitoring', withSimulator));
const { podOf, allows } = system;
const topics = productCharts.map((chart) => `${chart}-topics`);
const everyPod = [...allCharts, ...topics];
const ofServers: Record<string, string[]> = {
  kafka: [...productCharts, ...topics],
  mongodb: productCharts,
  eventStore: ['invoicing', 'fiscal-submission'],
};
const server = { kafka: 9092, mongodb: 27017, eventStore: 2113 };

test('the system has a pod of each service and one of each topics Job', () => {
  expect([...system.pods.keys()].sort()).toEqual([...everyPod].sort());
});

describe('between the pods of the system', () => {
  const calls: Record<string, string[]> = {
    gateway: ['invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting'],
    'fiscal-submission': ['authority-simulator'],
  };
  test.each(everyPod.flatMap((from) => everyPod.filter((to) => to !== from).map((to) => [from, to] as const)))(
    '%s reaches the port of %s only if it calls it, and never its operators’ port',
    (from, to) => {
      const port = to === 'authority-simulator' ? 3002 : 3000;
      // The gateway is open to everybody who is let out to it.
      expect(allows({ from: podOf(from), to: podOf(to), port })).toBe(calls[from]?.includes(to) ?? false);
      expect(allows({ from: podOf(from), to: podOf(to), port: 3001 })).toBe(false);
    },
  );
});

test('the national authorities of the simulator are reached by fiscal-submission alone', () => {
  for (const port of [3003, 3004, 3005])
    for (const from of everyPod.filter((name) => name !== 'authority-simulator'))
      expect([from, allows({ from: podOf(from), to: podOf('authority-simulator'), port })]).toEqual([from, from === 'fiscal-submission']);
});

describe('into the pods of the system', () => {
  test.each(allCharts)('%s takes requests from an ingress controller only if it is the gateway', (chart) => {
    const port = chart === 'authority-simulator' ? 3002 : 3000;
    for (const from of [
      elsewhere('ingress-nginx', { app: 'controller' }),
      podOf('stranger'),
      outside('203.0.113.9'),
      outside('2001:db8::9'),
    ])
      expect(allows({ from, to: podOf(chart), port })).toBe(chart === 'gateway');
  });

  test.each(everyPod)('%s shows its operators’ port to monitoring alone', (name) => {
    const prometheus = elsewhere('observability', { 'app.kubernetes.io/name': 'prometheus' });
    expect(allows({ from: prometheus, to: podOf(name), port: 3001 })).toBe(productCharts.includes(name));
    const others = [elsewhere('observability'), elsewhere('ingress-nginx'), podOf('stranger'), outside('203.0.113.9')];
    for (const from of others) expect(allows({ from, to: podOf(name), port: 3001 })).toBe(false);
  });

  test('a gateway whose clients are named takes requests from these alone', () => {
    const { allows: allowsBehind, podOf: of } = systemOf(renderExample('ingress'));
    const to = of('gateway');
    expect(allowsBehind({ from: elsewhere('ingress-nginx', { app: 'controller' }), to, port: 3000 })).toBe(true);
    for (const from of [elsewhere('other'), of('stranger'), outside('203.0.113.9')])
      expect(allowsBehind({ from, to, port: 3000 })).toBe(false);
  });
});

describe('out of the pods of the system', () => {
  const resolvers = [elsewhere('kube-system', { 'k8s-app': 'kube-dns' }), outside('169.254.20.10')];

  test.each(everyPod)(
    '%s resolves names by UDP and TCP, at the cluster’s DNS and at the cache of the node, if it connects to anything',
    (name) => {
      for (const to of resolvers)
        for (const protocol of ['UDP', 'TCP'] as const)
          expect(allows({ from: podOf(name), to, port: 53, protocol })).toBe(name !== 'authority-simulator');
      for (const to of [outside('8.8.8.8'), outside('169.254.169.254'), elsewhere('other')])
        for (const protocol of ['UDP', 'TCP'] as const) expect(allows({ from: podOf(name), to, port: 53, protocol })).toBe(false);
    },
  );

  test.each(Object.entries(server).flatMap(([one, port]) => everyPod.map((name) => [one, port, name] as const)))(
    '%s on port %i, wherever it is, is reached by %s only if it uses it',
    (one, port, name) => {
      const uses = ofServers[one]?.includes(name) ?? false;
      for (const to of [elsewhere('servers'), podOf('server'), outside('10.20.0.7'), outside('192.168.1.7'), outside('fd00::7')]) {
        // A webhook may go to a port from 1024 on, but to no private address.
        expect(allows({ from: podOf(name), to, port })).toBe(uses);
      }
    },
  );

  test('servers that are named by network or by pod are reached there alone', () => {
    const byNetwork = systemOf(renderExample('servers-by-network'));
    const from = byNetwork.podOf('invoicing');
    const reached = (address: string, port: number) => byNetwork.allows({ from, to: outside(address), port });
    expect([reached('10.20.0.9', 9092), reached('10.20.1.9', 27018), reached('fd00:20:1::9', 27017), reached('10.20.2.9', 2113)]).toEqual(
      Array(4).fill(true),
    );
    expect([reached('10.20.1.9', 9092), reached('10.20.0.9', 27017), reached('10.30.0.9', 2113), reached('fd00:20:2::9', 27017)]).toEqual(
      Array(4).fill(false),
    );
    expect(byNetwork.allows({ from, to: elsewhere('mongodb'), port: 27017 })).toBe(false);
    const byPod = systemOf(renderExample('servers-in-cluster'));
    const broker = elsewhere('kafka', { 'strimzi.io/cluster': 'main' });
    expect(byPod.allows({ from: byPod.podOf('reporting-topics'), to: broker, port: 9092 })).toBe(true);
    for (const to of [elsewhere('kafka', { 'strimzi.io/cluster': 'other' }), elsewhere('other', broker.pod), outside('10.20.0.9')])
      expect(byPod.allows({ from: byPod.podOf('reporting-topics'), to, port: 9092 })).toBe(false);
  });

  test.each(everyPod)('%s reaches the collector only if it reports to it', (name) => {
    const to = elsewhere('observability', { app: 'collector' });
    expect(allows({ from: podOf(name), to, port: 4318 })).toBe(productCharts.includes(name));
  });

  const world = ['8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001::1'];
  const notWorld = [
    ...['0.0.0.1', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.168.1.1', '198.18.0.1'],
    ...[
      '224.0.0.1',
      '240.0.0.1',
      '168.63.129.16',
      '::1',
      'fc00::1',
      'fd00:ec2::254',
      'fe80::1',
      'ff02::1',
      '2001:db8::1',
      '2002:808:808::1',
    ],
  ];

  test.each([...world, ...notWorld])(
    'at %s only the dispatcher and fiscal-submission reach a web server, and that where the address is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(world.includes(address));
      for (const name of everyPod) {
        const mayAt443 = ['webhooks-dispatcher', 'fiscal-submission'].includes(name);
        expect([name, allows({ from: podOf(name), to: outside(address), port: 443 })]).toEqual([
          name,
          mayAt443 && isPublicAddress(address),
        ]);
        expect([name, allows({ from: podOf(name), to: outside(address), port: 80 })]).toEqual([name, false]);
        const hook = allows({ from: podOf(name), to: outside(address), port: 8443 });
        expect([name, hook]).toEqual([name, name === 'webhooks-dispatcher' && isPublicAddress(address)]);
      }
    },
  );

  test.each(everyPod)('%s does not reach the node’s credentials, on no port and by no address of theirs', (name) => {
    for (const address of ['169.254.169.254', 'fd00:ec2::254', 'fe80::a9fe:a9fe'])
      for (const port of [80, 443, 2113, 4318, 8443, 9092, 27017])
        expect([port, allows({ from: podOf(name), to: outside(address), port })]).toEqual([port, false]);
  });

  test('what the values add is allowed: a receiver of webhooks in the cluster', () => {
    const { allows: allowsMore, podOf: of } = systemOf(renderExample('development'));
    const to = { namespace: home, pod: { app: 'receiver' } };
    for (const chart of allCharts) expect(allowsMore({ from: of(chart), to, port: 9000 })).toBe(chart === 'webhooks-dispatcher');
  });
});

test.each(productCharts)('the ports of %s to Kafka are those of its brokers, unless they are given', (chart) => {
  const kafkaPorts = (values: Values = {}) => {
    const { egress } = get(render(chart, values), 'NetworkPolicy', chart).spec;
    return egress[1]?.ports?.map(({ port }) => port);
  };
  expect(kafkaPorts()).toEqual([9092, 9093]);
  expect(kafkaPorts({ global: { networkPolicy: { kafka: { ports: [19092] } } } })).toEqual([19092]);
});

test.each(allCharts)('%s has no policy where the values say so', (chart) => {
  expect(render(chart, { networkPolicy: { enabled: false } }).map(({ kind }) => kind)).not.toContain('NetworkPolicy');
});
