import { plantedDefects, testPlantedDefects } from './testing/planted-defects.ts';
import { problemsOf, seedsOf } from './testing/seeds.ts';
import { simulate } from './testing/simulate.ts';

const [first = 1] = seedsOf({ count: 1 });
/** Each takes seconds; `simulation.long.spec.ts` has hundreds, and all planted defects. */
const some = seedsOf({ count: 3 });

test(`one process holds all invariants with faults from ${some.length} seeds`, async () => {
  expect(await problemsOf(some, { replicas: 1 })).toBe('');
}, 600_000);

test('two replicas on servers hold the same invariants', async () => {
  expect(await problemsOf(seedsOf({ count: 2 }), { replicas: 2 })).toBe('');
}, 600_000);

test('the same seed gives the same run with two replicas', async () => {
  const [one, again] = [await simulate(first, {}, { replicas: 2 }), await simulate(first, {}, { replicas: 2 })];
  expect(one.lines).toBeGreaterThan(100);
  expect([again.lines, again.digest, again.tail]).toEqual([one.lines, one.digest, one.tail]);
});

testPlantedDefects(plantedDefects.slice(0, 2));
