import type { Random } from '../../e2e/testing/random.ts';

/** The service to kill a process of, for each of `kills` kills: every service at least `ofEach` times, the rest and the order at random. */
export function killPlan(services: readonly string[], { kills, ofEach }: { kills: number; ofEach: number }, chance: Random): string[] {
  const plan = Array.from({ length: ofEach }, () => services).flat();
  while (plan.length < kills) plan.push(chance.pick(services));
  for (let n = plan.length - 1; n > 0; n -= 1) {
    const other = chance.below(n + 1);
    [plan[n], plan[other]] = [plan[other] as string, plan[n] as string];
  }
  return plan;
}
