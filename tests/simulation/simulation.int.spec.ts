import { plantedDefects } from './testing/planted-defects.ts';
import { problemsOf, seedsOf } from './testing/seeds.ts';
import { simulate } from './testing/simulate.ts';

const seeds = seedsOf({ count: 15 });
const [first = 1] = seeds;
/** Each takes seconds; a planted defect is looked for in all. */
const some = seedsOf({ count: 8 });

test(`one process holds all invariants with faults from ${some.length} seeds`, async () => {
  expect(await problemsOf(some, { replicas: 1 })).toBe('');
}, 600_000);

test('two replicas on servers hold the same invariants', async () => {
  expect(await problemsOf(seedsOf({ count: 5 }), { replicas: 2 })).toBe('');
}, 600_000);

test.each([1, 2])('the same seed gives the same run with %i replicas', async (replicas) => {
  const [one, again] = [await simulate(first, {}, { replicas }), await simulate(first, {}, { replicas })];
  expect(one.lines).toBeGreaterThan(100);
  expect([again.lines, again.digest, again.tail]).toEqual([one.lines, one.digest, one.tail]);
});

test.each(plantedDefects)(
  'finds the planted defect: $name',
  async ({ breaks, ...wiring }) => {
    for (const seed of seeds) {
      const { violated } = await simulate(seed, wiring);
      if (violated[breaks]) return;
    }
    throw new Error(`${seeds.length} seeds have not found it`);
  },
  300_000,
);
