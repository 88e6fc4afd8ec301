// What the pods use, as the table of deploy/README.md and the requests of the charts' values have it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');
const [CPU_STEP, MEMORY_STEP, HEADROOM] = [10, 16, 1.1];
/** The least that a pod asks for, in thousandths of a processor. */
const LEAST_CPU = 20;

/**
 * Of one service: its pods, the thousandths of a processor that all of them use idle and under load, MiB of the largest pod.
 * @typedef {{ pods: number, cpu: { idle: number, load: number }, mib: { idle: number, load: number } }} Used
 */

const roundUp = (value, step) => Math.ceil(value / step) * step;

/** A little more than a pod uses under load. */
const requestsOf = (/** @type {Used} */ { pods, cpu, mib }) => ({
  cpu: Math.max(LEAST_CPU, roundUp((cpu.load / pods) * HEADROOM, CPU_STEP)),
  mib: roundUp(mib.load * HEADROOM, MEMORY_STEP),
});

/** The rows of the table. */
const rowsOf = (used) =>
  Object.entries(used).map(
    ([service, { pods, cpu, mib }]) => `| ${service} (${pods}) | ${cpu.idle} | ${cpu.load} | ${mib.idle} → ${mib.load} MiB |`,
  );

function sentenceOf(used, perSecond) {
  const all = Object.values(used);
  const sum = (of) => all.reduce((total, one) => total + of(one), 0);
  const [cpu, mib] = [sum((one) => one.pods * requestsOf(one).cpu), sum((one) => one.pods * requestsOf(one).mib)];
  const more = Math.round((sum((one) => one.cpu.load) - sum((one) => one.cpu.idle)) / perSecond);
  return `Together that is ${sum((one) => one.cpu.idle)} thousandths idle and ${sum((one) => one.cpu.load)} at ${perSecond} requests a second. The charts' requests are a little more than the latter, and add up to ${cpu} thousandths and ${(mib / 1024).toFixed(1)} GiB; memory has a limit, the processor none. Above it, count ${more} thousandths more for each request a second, or let \`autoscaling\` and \`keda\` do it.`;
}

/**
 * Writes the table and the requests. `npm run charts:describe` then writes what is made of the values.
 *
 * @param {Record<string, Used>} used by service
 * @param {number} perSecond requests of the load
 */
export function writeSizes(used, perSecond) {
  const page = join(root, 'deploy', 'README.md');
  const text = readFileSync(page, 'utf8');
  const table = /(\| service \(pods\)[^\n]*\n\|[ |:-]+\n)(?:\|[^\n]*\n)+\n[^\n]*(?:\n[^\n#]+)*/;
  if (!table.test(text)) throw new Error('deploy/README.md has no table of sizes');
  writeFileSync(
    page,
    text.replace(table, (_, head) => `${head}${rowsOf(used).join('\n')}\n\n${sentenceOf(used, perSecond)}`),
  );
  for (const [service, one] of Object.entries(used)) {
    const file = join(root, 'helm', service, 'values.yaml');
    const { cpu, mib } = requestsOf(one);
    const requests = /(\nresources:\n {2}requests:\n) {4}cpu: \S+\n {4}memory: \S+\n/;
    writeFileSync(file, readFileSync(file, 'utf8').replace(requests, `$1    cpu: ${cpu}m\n    memory: ${mib}Mi\n`));
  }
}
