import { plantedDefects, testPlantedDefects } from './testing/planted-defects.ts';
import { outcomesOf, problemsIn, seedsOf } from './testing/seeds.ts';
import { simulate, type Outcome } from './testing/simulate.ts';

/** Each takes seconds; `simulation.long.spec.ts` has hundreds, and all planted defects. */
const some = seedsOf({ count: 3 });

test(`one process holds all invariants with faults from ${some.length} seeds`, async () => {
  expect(problemsIn(await outcomesOf(some, { replicas: 1 }))).toBe('');
}, 600_000);

describe('two replicas on servers', () => {
  let outcomes: Outcome[];
  beforeAll(async () => {
    outcomes = await outcomesOf(seedsOf({ count: 2 }), { replicas: 2 });
  }, 600_000);

  test('hold the same invariants', () => expect(problemsIn(outcomes)).toBe(''));

  test('run the same way again from the same seed', async () => {
    const [one] = outcomes as [Outcome];
    const again = await simulate(one.seed, {}, { replicas: 2 });
    expect(one.lines).toBeGreaterThan(100);
    expect([again.lines, again.digest, again.tail]).toEqual([one.lines, one.digest, one.tail]);
  });
});

testPlantedDefects(plantedDefects.slice(0, 2));
