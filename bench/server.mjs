// A server process under test, bound to one processor if `taskset` is available, and its resource use.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const taskset = spawnSync('taskset', ['--version']).status === 0;
const ticksPerSecond = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout) || 100;

export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts `node file` on processor 0, or on the given ones, and waits until `ready(url)` resolves. */
export async function startServer(file, { env = {}, ready, processors = '0' }) {
  const command = [process.execPath, file];
  const [program, ...args] = taskset ? ['taskset', '-c', processors, ...command] : command;
  const child = spawn(program, args, { env: { ...process.env, NODE_ENV: 'production', ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
  for (let n = 0; !(await ready().catch(() => false)); n += 1) {
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}`);
    if (n === 1_500) {
      child.kill('SIGKILL');
      throw new Error(`${file} was not ready after 30 s`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    pid: child.pid,
    /** User and system time so far in µs. Resolution: one tick (10 ms). */
    cpu() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
      return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6;
    },
    rssMiB: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024,
    stop: () => new Promise((resolve) => (child.once('exit', resolve), child.kill('SIGTERM'))),
  };
}
