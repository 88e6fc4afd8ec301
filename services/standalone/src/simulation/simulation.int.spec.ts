import { planted } from './planted.suite.ts';
import { simulate, type Outcome } from './simulate.suite.ts';

// More seeds than every run has time for: SIMULATION_SEEDS=1000 SIMULATION_FIRST=51
const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? 50);
const FIRST = Number(process.env['SIMULATION_FIRST'] ?? 1);
const seeds = Array.from({ length: SEEDS }, (_, n) => FIRST + n);

const told = ({ seed, violated, tail }: Outcome): string =>
  `seed ${seed} (SIMULATION_SEEDS=1 SIMULATION_FIRST=${seed}): ${JSON.stringify(violated, null, 2)}\n${tail}`;

test(`the whole process keeps its promises through the troubles of ${SEEDS} seeds`, async () => {
  const broken: Outcome[] = [];
  for (const seed of seeds) {
    const outcome = await simulate(seed);
    expect([seed, outcome.crashes >= 3]).toEqual([seed, true]);
    if (Object.keys(outcome.violated).length > 0) broken.push(outcome);
  }
  expect(broken.map(told).join('\n\n')).toBe('');
}, 600_000);

test('the same seed is the same run', async () => {
  const [first, again] = [await simulate(FIRST), await simulate(FIRST)];
  expect(first.lines).toBeGreaterThan(100);
  expect([again.lines, again.digest, again.tail]).toEqual([first.lines, first.digest, first.tail]);
});

test.each(planted)(
  'finds the mistake that $name',
  async ({ breaks, ...wiring }) => {
    for (const seed of seeds) {
      const { violated } = await simulate(seed, wiring);
      if (violated[breaks]) return;
    }
    throw new Error(`${SEEDS} seeds have not found it`);
  },
  300_000,
);
