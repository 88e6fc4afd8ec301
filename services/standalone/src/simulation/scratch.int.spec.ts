import { simulate } from './simulate.suite.ts';
test('scratch', async () => {
  const [from, to] = (process.env['SEEDS'] ?? '1-5').split('-').map(Number) as [number, number];
  let cpu = 0;
  for (let seed = from; seed <= to; seed += 1) {
    const c = process.cpuUsage();
    const t = performance.now();
    const o = await simulate(seed).catch((e) => ({
      violated: { ERR: [String(e)] } as Record<string, string[]>,
      lines: 0,
      tail: '',
      digest: '',
    }));
    const { user, system } = process.cpuUsage(c);
    process.stderr.write(`rss ${Math.round(process.memoryUsage().rss/1e6)} heap ${Math.round(process.memoryUsage().heapUsed/1e6)}\n`); cpu += (user + system) / 1000;
    process.stderr.write(
      `${seed} ${o.lines} ${o.digest.slice(0, 8)} ${JSON.stringify(o.violated)} ${Math.round(performance.now() - t)} ms, cpu ${Math.round((user + system) / 1000)} ${o.tail.split('\n').at(-1)?.slice(0, 40)}\n`,
    );
    if (process.env['TAIL']) process.stderr.write(o.tail + '\n');
  }
  process.stderr.write(`cpu ${cpu}\n`);
}, 600_000);
