// What docs/capacity.md quotes of `saturate`, as the Markdown that stands there: the machine, the table of processes, and the processors for some numbers of invoices.
import { cpus, loadavg } from 'node:os';

const SERVERS = { kafka: 'Kafka', mongo: 'MongoDB **(e)**', eventStore: 'EventStoreDB **(e)**' };
const NOT_LISTED = ['authority-simulator'];
const A_DAY = [10_000, 100_000, 1_000_000];

/** To be called before the load. */
export const machine = () => `${cpus().length} processors, ${cpus()[0].model.trim()}, load average before it ${loadavg()[0].toFixed(2)}`;

/**
 * `idle`: µs a second by process; `micros`: by kind and process, µs of each `draft` and `submitted invoice`; `memory`: MiB by process.
 * @param {{ on: string, replicas: number, idle: Record<string, number>, micros: Record<string, Record<string, number>>, memory: Record<string, number> }} measured
 */
export function capacityPage({ on, replicas, idle, micros, memory }) {
  const names = Object.keys(idle).filter((name) => !NOT_LISTED.includes(name));
  const services = names.filter((name) => !(name in SERVERS));
  const of = (name) => [idle[name] / 1000, micros.draft[name] / 1000, micros['submitted invoice'][name] / 1000];
  const sums = services.map(of).reduce((all, one) => all.map((sum, n) => sum + one[n]));
  const [atRest, , submitted] = sums;
  const row = ([rest, ...each], name, mib) => [name, rest.toFixed(0), ...each.map((ms) => ms.toFixed(1)), mib?.toFixed(0) ?? ''];
  const peak = (invoices) => invoices / 10 / 3_600;
  return [
    `Measured on ${on}; replicas of each service but the gateway: ${replicas}.`,
    table([
      ['process', 'at rest, thousandths of a processor', 'a draft, ms', 'a submitted invoice with its webhook, ms', 'memory, MiB'],
      ...services.map((name) => row(of(name), name, memory[name])),
      row(sums, '**services**'),
      ...Object.entries(SERVERS).map(([name, shown]) => row(of(name), shown, memory[name])),
    ]),
    table([
      ['invoices a day', 'peak a second', 'processors of the services, without the second machine'],
      ...A_DAY.map((invoices) => [
        invoices.toLocaleString('en'),
        peak(invoices).toPrecision(2),
        ((atRest + peak(invoices) * submitted) / 1000).toFixed(1),
      ]),
    ]),
  ].join('\n\n');
}

const table = ([head, ...rows]) => [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
