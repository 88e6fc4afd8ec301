// The node: a process with namespaces of its own. When its first process ends, the kernel ends every other one in it, with its mounts and network.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startedAt } from '../servers/process/proc.mjs';
import { HOST, NODE, PODS, SERVICES } from './addresses.mjs';
import { makeGroups } from './cgroups.mjs';
import { run, until } from './run.mjs';

const CABLE = 'kube-host';
const OWN_FOLDERS = ['/var/lib/kubelet', '/var/lib/cni', '/var/log/pods', '/var/log/containers'];
/** What kubelet would set for the whole machine: it finds these set already, and the machine keeps its own. */
const SEEN_SETTINGS = {
  'vm/overcommit_memory': 1,
  'vm/panic_on_oom': 0,
  'kernel/panic': 10,
  'kernel/panic_on_oops': 1,
  'kernel/keys/root_maxkeys': 1000000,
  'kernel/keys/root_maxbytes': 25000000,
};

/** @typedef {{ pid: number, started: string, parts: Record<string, number> }} State */

/** The node that runs in this folder. @param {import('./folder.mjs').Folder} folder @returns {State | undefined} */
export function runningNode(folder) {
  if (!existsSync(folder.at('state.json'))) return undefined;
  const state = folder.read('state.json');
  return state.pid && startedAt(state.pid) === state.started ? state : undefined;
}

export const anotherRuns = () => existsSync(`/sys/class/net/${CABLE}`);

/** Starts the namespaces and joins them to the host. */
export async function makeNode(folder) {
  const shell = spawn('unshare', [...namespaces, 'sh', '-c', script(folder)], {
    detached: true,
    stdio: ['ignore', 'ignore', openSync(folder.at('logs', 'node.log'), 'a')],
  });
  shell.unref();
  const pid = await until('the node', () => firstProcess(shell.pid), 10);
  const state = { pid, started: startedAt(pid), parts: {} };
  folder.write('state.json', state);
  connect(state);
  makeGroups();
  return state;
}

const namespaces = ['--net', '--mount', '--pid', '--uts', '--ipc', '--propagation', 'slave', '--fork', '--mount-proc'];

function script(folder) {
  const lines = ['set -e', 'mount --make-rshared /', 'mount -t tmpfs -o mode=755 tmpfs /run'];
  for (const path of OWN_FOLDERS) {
    mkdirSync(path, { recursive: true });
    mkdirSync(folder.at('node', path), { recursive: true });
    lines.push(`mount --bind '${folder.at('node', path)}' ${path}`);
  }
  for (const [name, value] of Object.entries(SEEN_SETTINGS))
    lines.push(`mount --bind '${folder.write(join('settings', name), `${value}\n`)}' /proc/sys/${name}`);
  return [...lines, 'hostname node', 'ip link set lo up', 'exec tini -- sleep infinity'].join('\n');
}

function firstProcess(shell) {
  const child = Number(readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim());
  return child && readFileSync(`/proc/${child}/comm`, 'utf8').trim() === 'tini' && child;
}

/** A virtual cable between host and node, and the routes to pods and Services. */
function connect(state) {
  run('ip', ['link', 'add', CABLE, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(state.pid)]);
  run('ip', ['addr', 'add', `${HOST}/30`, 'dev', CABLE]);
  run('ip', ['link', 'set', CABLE, 'up']);
  inNode(state, ['ip', 'addr', 'add', `${NODE}/30`, 'dev', 'eth0']);
  inNode(state, ['ip', 'link', 'set', 'eth0', 'up']);
  inNode(state, ['ip', 'route', 'add', 'default', 'via', HOST]);
  inNode(state, ['sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward; echo 1 > /proc/sys/net/bridge/bridge-nf-call-iptables']);
  for (const range of [SERVICES, PODS]) run('ip', ['route', 'add', range, 'via', NODE]);
}

const enter = ({ pid }) => ['--target', String(pid), '--net', '--mount', '--pid', '--uts', '--ipc', '--'];

export const inNode = (state, command, options) => run('nsenter', [...enter(state), ...command], options);

/** Starts a part of Kubernetes in the node; it outlives this process. */
export function startPart(folder, state, name, command, args) {
  const log = openSync(folder.at('logs', `${name}.log`), 'a');
  const part = spawn('nsenter', [...enter(state), command, ...args], { cwd: folder.root, detached: true, stdio: ['ignore', log, log] });
  part.unref();
  state.parts[name] = part.pid;
  folder.write('state.json', state);
}
