// A data folder that is filled with invoices once, and kept for the next run.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atRest, sleep } from './load.mjs';
import { seed } from './seed.mjs';
import { startProduct } from './server.mjs';

const BUILT_WITHIN_S = 4 * 3_600;
const seconds = (since) => (performance.now() - since) / 1000;

/** Fills an empty folder; what was measured meanwhile is in its file `seeded.json`. */
export async function fill(folder, count) {
  console.error(`filling ${folder} with ${count} invoices …`);
  const empty = await startProduct(folder);
  await sleep(3_000);
  const idleMiB = empty.rssMiB();
  const customer = await empty.call('/customers', { name: 'Bench' });
  await empty.stop();
  const began = performance.now();
  const seeded = await seed(empty.data, { account: empty.account, count, customer: customer.id });
  const figures = { emptyStartMs: empty.startMs, idleMiB, seedSeconds: seconds(began) };
  writeFileSync(join(folder, 'seeded.json'), JSON.stringify({ ...seeded, ...figures, customer: customer.id }));
}

/** Starts the system once, so that it builds the read models that the folder lacks. */
export async function build(folder) {
  const began = performance.now();
  const server = await startProduct(folder, { within: BUILT_WITHIN_S });
  while (!(await atRest(server)));
  const figures = { buildSeconds: seconds(began), builtMiB: server.rssMiB() };
  await server.stop();
  return figures;
}

/** The folder of so many invoices, made by this code; a run that ends early leaves one that is made anew. */
export async function kept(count) {
  const code = createHash('sha256').update(readFileSync(join(import.meta.dirname, 'seed.mjs')));
  code.update(process.env.BENCH_CUSTOMERS ?? '');
  const folder = join(tmpdir(), `svc-bench-list-${count}-${code.digest('hex').slice(0, 12)}`);
  const isKept = existsSync(join(folder, 'seeded.json'));
  if (!isKept) {
    rmSync(folder, { recursive: true, force: true });
    await fill(folder, count);
  }
  console.error(`${folder} is kept for the next run; remove it with rm -r`);
  return { folder, isKept, ...(await build(folder)) };
}

/** Starts the system on a folder that is filled. */
export async function started(folder, options = {}) {
  const seeded = JSON.parse(readFileSync(join(folder, 'seeded.json'), 'utf8'));
  const server = await startProduct(folder, options);
  await atRest(server);
  return { ...server, ...seeded, startedMiB: server.rssMiB() };
}
