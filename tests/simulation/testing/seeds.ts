import { simulate, type Outcome } from './simulate.ts';
import type { Layout } from './system.ts';

/** The seeds to run, from `first` on; SIMULATION_SEEDS and SIMULATION_FIRST override them. */
export function seedsOf({ count, first = 1 }: { count: number; first?: number }): number[] {
  const [from, length] = [Number(process.env['SIMULATION_FIRST'] ?? first), Number(process.env['SIMULATION_SEEDS'] ?? count)];
  return Array.from({ length }, (_, n) => from + n);
}

/** Runs each seed. */
export async function outcomesOf(seeds: readonly number[], layout: Layout): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const seed of seeds) outcomes.push(await simulate(seed, {}, layout));
  return outcomes;
}

/** '' or a description of the violations, with the command that repeats them. */
export function problemsIn(outcomes: readonly Outcome[]): string {
  for (const { seed, crashes } of outcomes) if (crashes < 3) throw new Error(`seed ${seed} had ${crashes} crashes: it shows nothing`);
  return outcomes
    .filter(({ violated }) => Object.keys(violated).length > 0)
    .map(described)
    .join('\n\n');
}

const described = ({ seed, violated, tail }: Outcome): string =>
  `seed ${seed} (SIMULATION_SEEDS=1 SIMULATION_FIRST=${seed}): ${JSON.stringify(violated, null, 2)}\n${tail}`;
