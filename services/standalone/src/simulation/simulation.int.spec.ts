import { simulate } from './simulate.suite.ts';

test('first', async () => {
  for (let seed = 1; seed <= Number(process.env['SEEDS'] ?? 1); seed += 1) {
    const t = performance.now();
    const c = process.cpuUsage();
    const o = await simulate(seed);
    const { user, system } = process.cpuUsage(c);
    process.stderr.write(`${seed} ${o.lines} ${o.digest.slice(0, 8)} ${JSON.stringify(o.violated)} ${Math.round(performance.now() - t)} ms, cpu ${Math.round((user + system) / 1000)}\n`);
    if (process.env['TAIL']) process.stderr.write(o.tail + '\n');
  }
}, 600_000);
