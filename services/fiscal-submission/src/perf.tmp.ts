import { SimulatorProcess } from './simulator-process.suite.ts';
import { Stage } from './stage.suite.ts';
const run = async () => {
  const simulator = await SimulatorProcess.start();
  const stage = new Stage({ simulatorUrl: simulator.url, pace: 'live' });
  const one = async () => {
    const t = performance.now();
    const { document_id } = await stage.submit();
    for (;;) {
      if (stage.told.some((e) => e.subject === document_id)) break;
      await new Promise((r) => setTimeout(r, 1));
    }
    return performance.now() - t;
  };
  const times: number[] = [];
  for (let i = 0; i < 60; i++) {
    times.push(await one());
    await new Promise((r) => setTimeout(r, 30));
  }
  times.sort((a, b) => a - b);
  console.log('latency p50', times[30], 'p95', times[57], 'max', times[59]);
  for (const accounts of [1, 10]) {
    const N = 3000;
    const before = stage.told.length;
    const c0 = { ...(stage as never as { engine: { counters: { commits: number; writes: number } } }).engine.counters };
    const t0 = performance.now();
    const cpu = process.cpuUsage();
    for (let i = 0; i < N / 100; i++) {
      const events = Array.from({ length: 100 }, (_, n) => ({ ...stage.requested(), account: `acct_${n % accounts}` }));
      await stage.consumer.on(events);
    }
    const t1 = performance.now();
    while (stage.told.length < before + N) await new Promise((r) => setTimeout(r, 5));
    const used = process.cpuUsage(cpu);
    const c1 = (stage as never as { engine: { counters: { commits: number; writes: number } } }).engine.counters;
    console.log('commits each', (c1.commits - c0.commits) / N, 'writes each', (c1.writes - c0.writes) / N, used.user / N, used.system / N);
    console.log(
      accounts,
      'accounts: open',
      (N / (t1 - t0)) * 1000,
      '/s; registered',
      (N / (performance.now() - t0)) * 1000,
      '/s; cpu us each',
      (used.user + used.system) / N,
    );
  }
  await stage.close();
  await simulator.stop();
};
await run();
process.exit(0);
