// The node's own group of processes in each hierarchy of cgroups, version 1 or 2.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
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

export function makeGroups() {
  for (const group of groups()) mkdirSync(group, { recursive: true });
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
