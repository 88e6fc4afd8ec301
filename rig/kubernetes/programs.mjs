// The programs of the node and Helm: Debian's packages, and what is built by Go once and kept in ~/.cache/kubernetes-node.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { logged, run } from './run.mjs';

const KUBERNETES = 'v1.35.4';
const HELM = 'helm.sh/helm/v4/cmd/helm@v4.3.0';
const source = join(import.meta.dirname, 'control-plane');
const SOURCES = ['main.go', 'balancer.go', 'pause/main.go', 'go.mod', 'go.sum'];

/** The package of each program that is needed. */
const PACKAGES = {
  containerd: 'containerd',
  runc: 'runc',
  '/usr/lib/cni/bridge': 'containernetworking-plugins',
  buildah: 'buildah',
  debootstrap: 'debootstrap',
  iptables: 'iptables',
  tini: 'tini',
  ip: 'iproute2',
  openssl: 'openssl',
  // What `npm run test:helm` sends through.
  '/usr/sbin/nginx': 'nginx-light',
};

export const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'kubernetes-node');

function isInstalled(program) {
  if (program.startsWith('/')) return existsSync(program);
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)));
}

export function installPackages() {
  const missing = Object.entries(PACKAGES).flatMap(([program, name]) => (isInstalled(program) ? [] : [name]));
  if (missing.length === 0) return;
  console.error(`installing ${missing.join(', ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  logged('apt-get', ['update', '-qq'], { env });
  logged('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { env });
}

/** The folder of the built programs, named by what they are built from. */
function folder() {
  const hash = createHash('sha256').update(HELM + KUBERNETES);
  for (const name of SOURCES) hash.update(readFileSync(join(source, name)));
  return join(cache, hash.digest('hex').slice(0, 16));
}

const BUILT = ['kubernetes', 'pause', 'helm', 'kubectl'];

export const areBuilt = () => BUILT.every((name) => existsSync(join(folder(), name)));

/** Builds the programs that are missing, 15 to 30 minutes the first time; returns their folder. */
export function buildPrograms() {
  const bin = folder();
  const once = (name, args) => {
    if (existsSync(join(bin, name))) return;
    console.error(`building ${name}: many minutes the first time …`);
    logged('nice', ['go', ...args], { cwd: source, env: { ...process.env, CGO_ENABLED: '0', GOBIN: bin } });
  };
  mkdirSync(bin, { recursive: true });
  once('kubernetes', ['build', ...flags(), '-o', join(bin, 'kubernetes'), '.']);
  once('pause', ['build', ...flags(), '-o', join(bin, 'pause'), './pause']);
  once('helm', ['install', '-trimpath', '-ldflags', '-s -w', HELM]);
  if (!existsSync(join(bin, 'kubectl'))) symlinkSync('kubernetes', join(bin, 'kubectl'));
  return bin;
}

/** With other flags Go compiles all of Kubernetes a second time. */
function flags() {
  const [major, minor] = KUBERNETES.slice(1).split('.');
  const version = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((name) => [
    `-X ${name}.gitVersion=${KUBERNETES}`,
    `-X ${name}.gitMajor=${major}`,
    `-X ${name}.gitMinor=${minor}`,
  ]);
  return ['-trimpath', '-ldflags', ['-s', '-w', ...version].join(' ')];
}

/** What a command prints of the programs, for `kubectl` and `helm`. */
export const kubectlOf = (bin, kubeconfig) => (args, options) =>
  run(join(bin, 'kubectl'), ['--kubeconfig', kubeconfig, ...args], { stdio: ['pipe', 'pipe', 'pipe'], ...options });
