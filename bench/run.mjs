// npm run bench [name …]: runs benchmarks and their baselines; `http` by default, all of them with `full`. Benchmarks on real servers start
// their own. Prints a row for each case, writes JSON to bench/results/, and exits with 1 if a case had a response other than 2xx or is below
// 0.75 of its goal.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

const names = [
  'http',
  'write-path',
  'disk',
  'copy',
  'list',
  'webhooks',
  'store',
  'totals',
  'documents',
  'judging',
  'hop',
  'lag',
  'appends',
  'path',
  'batch',
  'final',
  'registration',
  'chain',
  'saturate',
  'reports',
  'dashboard',
];
const given = process.argv.slice(2).filter((name) => !name.startsWith('--'));
const asked = given.includes('full') ? names : given;
const unknown = asked.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(', ')}; there are: ${names.join(', ')}, full`);
  process.exit(2);
}

let bad = 0;
for (const name of asked.length > 0 ? asked : ['http']) {
  const { run } = await import(`./${name}.mjs`);
  const rows = await run();
  console.log(`\n# ${name}: Node ${process.version}, ${cpus().length} × ${cpus()[0].model}`);
  console.table(rows.map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [column, round(value)]))));
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ at: new Date().toISOString(), node: process.version, rows }, null, 2));
  bad += rows.filter(({ ok }) => ok === false).length;
}
process.exit(bad > 0 ? 1 : 0);

function round(value) {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value;
}
