import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MOST_ROWS = 500;

/** Saves each exchange with the authority as a JSON file, named by its count; those of an earlier run are removed. Returns how many there are. */
export async function saveWire(product, authority, folder) {
  mkdirSync(folder, { recursive: true });
  const isRow = new RegExp(`^${authority}-\\d+\\.json$`);
  for (const name of readdirSync(folder).filter((one) => isRow.test(one))) rmSync(join(folder, name));
  for (let after = 0; ;) {
    const { data } = await product.simulator('GET', `/wire?authority=${authority}&after=${after}&limit=${MOST_ROWS}`);
    if (data.length === 0) return after;
    for (const row of data) {
      const name = `${authority}-${String(row.n).padStart(6, '0')}.json`;
      writeFileSync(join(folder, name), `${JSON.stringify(row, null, 2)}\n`);
    }
    after = data.at(-1).n;
  }
}
