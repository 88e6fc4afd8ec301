import { plantedDefects, testPlantedDefects } from './testing/planted-defects.ts';
import { outcomesOf, problemsIn, seedsOf } from './testing/seeds.ts';

/** Follows the seeds of the short spec. */
const FIRST = 1_001;
const HOUR_MS = 3_600_000;

test.each([
  { replicas: 1, count: 300 },
  { replicas: 2, count: 300 },
  { replicas: 3, count: 50 },
])(
  'replicas: $replicas, $count seeds hold all invariants',
  async ({ replicas, count }) => {
    expect(problemsIn(await outcomesOf(seedsOf({ count, first: FIRST }), { replicas }))).toBe('');
  },
  HOUR_MS,
);

testPlantedDefects(plantedDefects);
