// Row 6: the cost of authentication, limits and headers for one request, in µs of CPU.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, median, WARM } from './load.mjs';
import { freePort, startServer } from './server.mjs';

const ROUNDS = 5;

async function idle(edge) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-edge-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/v1/event-types`;
  const server = await startServer(join(import.meta.dirname, 'edge-server.mjs'), {
    env: { PORT: String(port), EDGE: edge ? '1' : '0', FOLDER: folder },
    ready: async () => (await fetch(url)).status < 500,
  });
  const headers = edge ? { authorization: `Bearer ${readFileSync(join(folder, 'key'), 'utf8')}` } : {};
  return { ...server, options: { url, headers }, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Median of the differences per round. */
export async function edgeMicros() {
  const [behind, bare] = [await idle(true), await idle(false)];
  const differences = [];
  for (const server of [behind, bare]) await load(server, { ...server.options, amount: WARM });
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, other] = [await load(behind, behind.options), await load(bare, bare.options)];
    if (one.wrong + other.wrong > 0) throw new Error(`${one.wrong + other.wrong} answers were not 2xx`);
    differences.push(one.cpuMicros - other.cpuMicros);
  }
  for (const server of [behind, bare]) {
    await server.stop();
    server.remove();
  }
  return median(differences);
}
