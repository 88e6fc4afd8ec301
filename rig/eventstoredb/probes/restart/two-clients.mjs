// (k) two clients in one process
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { cs, fact, fresh } from './harness.mjs';

export default async function () {
  const srv = fresh('k');
  await srv.start();
  const p = spawn(process.execPath, [fileURLToPath(new URL('./two-clients-child.mjs', import.meta.url)), cs], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const out = (await text(p.stdout)).trim().split('\n'); // To the end of the stream: the last output may come after the exit.
  fact('k two clients in one process, one disposed while the other has 500 appends in flight', [...new Set(out)].sort());
  await srv.stop('SIGKILL');
}
