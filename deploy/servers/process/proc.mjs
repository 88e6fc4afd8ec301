// What Linux tells of a process.
import { readFileSync } from 'node:fs';

/** Fields of /proc/PID/stat from the state on; undefined when there is no such process, or only its remains. */
function stat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it may hold anything, brackets too.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields;
  } catch {
    return undefined;
  }
}

/** When it started, in clock ticks since boot, as text: with the pid it names a process for good, the pid alone is used again. */
export const startedAt = (pid) => stat(pid)?.[19];

/** Whether SIGSTOP holds it. */
export const isPaused = (pid) => stat(pid)?.[0] === 'T';

/** Memory that it holds now, in MiB. */
export function memoryOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) >> 10;
  } catch {
    return 0;
  }
}
