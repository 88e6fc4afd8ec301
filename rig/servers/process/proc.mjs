// Facts about a process from /proc.
import { readFileSync } from 'node:fs';

/** Fields of /proc/PID/stat from the state on; undefined when the process has ended, also as a zombie. */
function stat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before the state may contain any character, also brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields;
  } catch {
    return undefined;
  }
}

/** Start time in clock ticks since boot, as text: with the pid it identifies a process; the pid alone is reused. */
export const startedAt = (pid) => stat(pid)?.[19];

/** Whether it is stopped by SIGSTOP. */
export const isPaused = (pid) => stat(pid)?.[0] === 'T';

/** Its resident memory in MiB. */
export function memoryOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) >> 10;
  } catch {
    return 0;
  }
}
