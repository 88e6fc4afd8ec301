// Settings of containerd, kubelet, kube-proxy, the pods' network and the cluster's DNS.
import { DNS, NODE, PODS } from './addresses.mjs';
import { GROUP } from './cgroups.mjs';

export const SOCKET = '/run/containerd/containerd.sock';
export const PAUSE = 'localhost/pause:1';

/** @param {import('./folder.mjs').Folder} folder */
export function makeSettings(folder) {
  folder.write('containerd.toml', containerd(folder));
  folder.write('cni/pods.conflist', podNetwork);
  folder.write('kubelet.json', kubelet(folder));
  folder.write('proxy.json', proxy(folder));
  folder.write('dns.conf', dns(folder));
}

const containerd = (folder) => `version = 2
root = "${folder.at('containerd')}"
state = "/run/containerd"
[grpc]
  address = "${SOCKET}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${PAUSE}"
  disable_apparmor = true
  # Where even root may not lower it (no CAP_SYS_RESOURCE), pods keep the score of containerd itself.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${folder.at('cni')}"
`;

const podNetwork = {
  cniVersion: '1.0.0',
  name: 'pods',
  plugins: [
    {
      ...{ type: 'bridge', bridge: 'pods', isGateway: true, hairpinMode: true },
      ipam: { type: 'host-local', ranges: [[{ subnet: PODS }]], routes: [{ dst: '0.0.0.0/0' }] },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
};

const kubelet = (folder) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  address: NODE,
  authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: folder.at('keys/ca.crt') } },
  authorization: { mode: 'Webhook' },
  tlsCertFile: folder.at('keys/kubelet.crt'),
  tlsPrivateKeyFile: folder.at('keys/kubelet.key'),
  containerRuntimeEndpoint: `unix://${SOCKET}`,
  cgroupDriver: 'cgroupfs',
  cgroupRoot: `/${GROUP}`,
  // Otherwise it does not start on cgroups of version 1.
  failCgroupV1: false,
  failSwapOn: false,
  clusterDomain: 'cluster.local',
  clusterDNS: [DNS],
  resolvConf: '',
  imageGCHighThresholdPercent: 100,
  evictionHard: { 'memory.available': '0%', 'nodefs.available': '0%', 'nodefs.inodesFree': '0%', 'imagefs.available': '0%' },
  kubeReserved: { cpu: '100m', memory: '256Mi' },
});

const proxy = (folder) => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  mode: 'iptables',
  clientConnection: { kubeconfig: folder.at('proxy.kubeconfig') },
  clusterCIDR: PODS,
  hostnameOverride: 'node',
  // Tables of connections are sized for the whole machine: a network of its own may not do it.
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
});

/** Names outside the cluster do not exist (REFUSED would be a passing failure to getaddrinfo): no question leaves the machine. */
const dns = (folder) => `.:53 {
  errors
  ready ${NODE}:8181
  cache 5
  kubernetes cluster.local in-addr.arpa ip6.arpa {
    kubeconfig ${folder.at('dns.kubeconfig')}
    ttl 5
  }
  template ANY ANY . {
    rcode NXDOMAIN
  }
}
`;
