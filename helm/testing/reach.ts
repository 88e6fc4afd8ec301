import { BlockList, isIPv6 } from 'node:net';
import type { NetworkPolicy, Peer, PolicyPort, Selector } from './manifests.ts';

type Labels = Record<string, string>;

/** A pod, by its labels and those of its namespace, or an address outside the cluster. */
export interface Place {
  pod?: Labels;
  namespace?: Labels;
  address?: string;
}
export interface Connection {
  from: Place;
  to: Place;
  port: number;
  protocol?: 'TCP' | 'UDP';
}

/** Whether the policies, which are all of the namespace `home`, let a connection be made: as Kubernetes defines it, its source must be let out and its destination in. */
export function isAllowed(policies: NetworkPolicy[], home: Labels, { from, to, port, protocol = 'TCP' }: Connection): boolean {
  const peers = { port, protocol, home };
  return (
    passes(policies, 'Egress', from, home, ({ spec }) => spec.egress.some((rule) => matches(rule.to, rule.ports, to, peers))) &&
    passes(policies, 'Ingress', to, home, ({ spec }) => spec.ingress.some((rule) => matches(rule.from, rule.ports, from, peers)))
  );
}

/** A place that no policy selects is open. One that some select passes what any of them allows. */
function passes(policies: NetworkPolicy[], type: string, place: Place, home: Labels, allows: (policy: NetworkPolicy) => boolean): boolean {
  const isHere = place.pod !== undefined && JSON.stringify(place.namespace) === JSON.stringify(home);
  const selecting = policies.filter(({ spec }) => isHere && spec.policyTypes.includes(type) && selects(spec.podSelector, place.pod));
  return selecting.length === 0 || selecting.some(allows);
}

type At = { port: number; protocol: string; home: Labels };

const matches = (peers: Peer[] | undefined, ports: PolicyPort[] | undefined, place: Place, at: At): boolean =>
  (!peers || peers.some((peer) => isPeer(peer, place, at.home))) && (!ports || ports.some((port) => isPort(port, at)));

const isPort = ({ port: first, endPort: last = first, protocol = 'TCP' }: PolicyPort, at: At): boolean =>
  protocol === at.protocol && at.port >= first && at.port <= last;

/** A block of addresses is of places outside the cluster alone: what it means for a pod is each network plugin's own matter. */
function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, { pod, namespace, address }: Place, home: Labels): boolean {
  if (ipBlock) return address !== undefined && isIn(ipBlock.cidr, address) && !ipBlock.except?.some((cidr) => isIn(cidr, address));
  if (!pod || !namespace) return false;
  const inNamespace = namespaceSelector ? selects(namespaceSelector, namespace) : JSON.stringify(namespace) === JSON.stringify(home);
  return inNamespace && (!podSelector || selects(podSelector, pod));
}

const selects = ({ matchLabels = {} }: Selector, labels: Labels = {}): boolean =>
  Object.entries(matchLabels).every(([name, value]) => labels[name] === value);

function isIn(cidr: string, address: string): boolean {
  const [net = '', bits = ''] = cidr.split('/');
  if (isIPv6(net) !== isIPv6(address)) return false;
  const list = new BlockList();
  const family = isIPv6(net) ? 'ipv6' : 'ipv4';
  list.addSubnet(net, Number(bits), family);
  return list.check(address, family);
}
