// What a new cluster has besides Kubernetes' own objects: the rights of DNS and of the balancer, and the Service of DNS, which runs beside the pods.
import { DNS, NODE } from './addresses.mjs';

const RBAC = 'rbac.authorization.k8s.io';

const userMay = (name, rules) => [
  { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name }, rules },
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
    subjects: [{ apiGroup: RBAC, kind: 'User', name }],
  },
];

/** A Service without a selector, and the address behind it, which is not a pod's. */
export const serviceOutside = ({ name, namespace, address, ports, clusterIP }) => [
  { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace }, spec: { clusterIP, ports } },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports,
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
  },
];

const dnsPorts = [
  { name: 'dns', protocol: 'UDP', port: 53 },
  { name: 'dns-tcp', protocol: 'TCP', port: 53 },
];

export const objects = [
  ...userMay('cluster-dns', [
    { apiGroups: [''], resources: ['services', 'namespaces', 'pods'], verbs: ['list', 'watch'] },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
  ]),
  ...userMay('balancer', [
    { apiGroups: [''], resources: ['services'], verbs: ['list', 'watch'] },
    { apiGroups: [''], resources: ['services/status'], verbs: ['update'] },
  ]),
  ...serviceOutside({ name: 'kube-dns', namespace: 'kube-system', address: NODE, ports: dnsPorts, clusterIP: DNS }),
];
