// A Redis for one benchmark, if `redis-server` is installed (Debian: apt-get install redis-server).
import { spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { cpuMicros } from './cpu-of.mjs';
import { sleep } from './load.mjs';
import { freePort } from './server.mjs';

/** Its port and its processor time so far; undefined where Redis is not installed. `folder`: of its append-only file, synced each second. */
export async function startRedis(folder) {
  if (spawnSync('redis-server', ['--version']).error) return undefined;
  const port = await freePort();
  const child = spawn('redis-server', ['--port', String(port), '--dir', folder, '--save', '', '--appendonly', 'yes'], { stdio: 'ignore' });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const answers = () =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket.end()));
      socket.once('error', () => resolve(undefined));
    });
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    await sleep(20);
  }
  return {
    port,
    cpu: () => cpuMicros(child.pid),
    stop() {
      process.removeListener('exit', kill);
      return new Promise((resolve) => (child.once('exit', resolve), child.kill('SIGTERM')));
    },
  };
}
