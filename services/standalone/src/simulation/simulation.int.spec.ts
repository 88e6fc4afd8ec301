import { planted } from './planted.suite.ts';
import { simulate } from './simulate.suite.ts';

test.each(planted)('$name', async ({breaks, ...wiring}) => {
  for (let seed = 1; seed <= Number(process.env['SEEDS'] ?? 10); seed += 1) {
    const t = performance.now();
    const o = await simulate(seed, wiring).catch(e => ({violated: {ERR: [String(e).slice(0,300)]} as Record<string,string[]>, lines: 0, tail: ''}));
    process.stderr.write(`${breaks} ${seed} ${o.lines} ${breaks in o.violated} ${JSON.stringify(o.violated).slice(0,600)} ${Math.round(performance.now() - t)} ms\n`);
  }
}, 600_000);
