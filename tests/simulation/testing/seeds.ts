import { simulate, type Outcome } from './simulate.ts';
import type { Layout } from './system.ts';

/** The seeds to run, from `first` on; SIMULATION_SEEDS and SIMULATION_FIRST override them. */
export function seedsOf({ count, first = 1 }: { count: number; first?: number }): number[] {
  const [from, length] = [Number(process.env['SIMULATION_FIRST'] ?? first), Number(process.env['SIMULATION_SEEDS'] ?? count)];
  return Array.from({ length }, (_, n) => from + n);
}

/** Runs each seed. Returns '' or a description of the violations, with the command that repeats them. */
export async function problemsOf(seeds: readonly number[], layout: Layout): Promise<string> {
  const broken: Outcome[] = [];
  for (const seed of seeds) {
    const outcome = await simulate(seed, {}, layout);
    if (outcome.crashes < 3) throw new Error(`seed ${seed} had ${outcome.crashes} crashes: it shows nothing`);
    if (Object.keys(outcome.violated).length > 0) broken.push(outcome);
  }
  return broken.map(described).join('\n\n');
}

const described = ({ seed, violated, tail }: Outcome): string =>
  `seed ${seed} (SIMULATION_SEEDS=1 SIMULATION_FIRST=${seed}): ${JSON.stringify(violated, null, 2)}\n${tail}`;
