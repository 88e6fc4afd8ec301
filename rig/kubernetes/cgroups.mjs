// The node's own group of processes in each hierarchy of cgroups, version 1 or 2.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const GROUP = 'kubernetes-node';
const top = '/sys/fs/cgroup';

function groups() {
  if (existsSync(join(top, 'cgroup.controllers'))) return [join(top, GROUP)];
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  return mounts.filter(([, at, type]) => type?.startsWith('cgroup') && at.startsWith(top)).map(([, at]) => join(at, GROUP));
}

/** By version 1 and 2, as much as 16 processes: by default all pods together get no more of a busy machine than one process does. */
const WEIGHTS = { 'cpu.shares': 16_384, 'cpu.weight': 1_600 };

export function makeGroups() {
  for (const group of groups()) {
    mkdirSync(group, { recursive: true });
    for (const [name, weight] of Object.entries(WEIGHTS)) if (existsSync(join(group, name))) writeFileSync(join(group, name), `${weight}`);
  }
}

/** The processes of a pod's containers, in the numbers of the host, without those that only hold its namespaces. */
export function processesOf(uid) {
  const pod = readdirSync(groups()[0], { recursive: true }).find((path) => path.endsWith(`pod${uid}`));
  if (!pod) throw new Error(`pod ${uid} has no group of processes`);
  const containers = readdirSync(join(groups()[0], pod), { recursive: true }).filter((path) => path.endsWith('cgroup.procs'));
  const numbers = containers.flatMap((path) =>
    readFileSync(join(groups()[0], pod, path), 'utf8')
      .split('\n')
      .filter(Boolean),
  );
  return numbers.map(Number).filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'pause');
}

/** Throws while a process is left in one. */
export function removeGroups() {
  for (const group of groups()) remove(group);
}

function remove(group) {
  if (!existsSync(group)) return;
  for (const entry of readdirSync(group, { withFileTypes: true })) if (entry.isDirectory()) remove(join(group, entry.name));
  rmdirSync(group);
}
