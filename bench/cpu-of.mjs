// Processor time of processes.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout) || 100;

/** User and system time so far in µs, by name, of the processes `{ name: pid }`. */
export const cpuOf = (pids) => Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuMicros(pid)]));

export const cpuMicros = (pid) => microsIn(`/proc/${pid}/stat`);

function microsIn(file) {
  const fields = readFileSync(file, 'utf8').split(') ')[1].split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6;
}

/** The same of the threads of a process that have this name. */
export function threadMicros(pid, name) {
  const tasks = `/proc/${pid}/task`;
  const named = readdirSync(tasks).filter((thread) => readFileSync(`${tasks}/${thread}/comm`, 'utf8').trim() === name);
  return named.reduce((sum, thread) => sum + microsIn(`${tasks}/${thread}/stat`), 0);
}

/** Whether a thread of the process runs, or waits for a processor or the disk. */
export function isBusy(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).some((thread) => /\) [RD] /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')));
  } catch {
    return false; // a thread ended between the two reads
  }
}
