import { simulation } from '../openapi/guide/guide.ts';
import { simulationProblem, simulations } from './simulation.ts';

test.each([
  ...simulations,
  'reject:E4711',
  'reject:credentials',
  `reject:${'x'.repeat(40)}`,
  'unavailable:1',
  'unavailable:10000',
  'slow:1',
  'slow:600000',
])('%s is one', (simulate) => expect(simulationProblem({ simulate })).toBeUndefined());

test.each([
  ['', undefined],
  ['acept', 'accept'],
  ['ACCEPT', 'accept'],
  ['lost', undefined],
  ['reject:', 'reject'],
  [`reject:${'x'.repeat(41)}`, undefined],
  ['reject:a b', undefined],
  ['accept:1', 'accept'],
  ['unavailable', undefined],
  ['unavailable:', undefined],
  ['unavailable:0', undefined],
  ['unavailable:x', undefined],
  ['unavailable:10001', undefined],
  ['slow:1.5', undefined],
  ['slow:600001', undefined],
  ['constructor:1', undefined],
  ['toString', undefined],
])('%j is none; the one that may be meant is %s', (simulate, nearest) => {
  const problem = simulationProblem({ simulate, order: 'A-1' });
  expect(problem).toMatchObject({ field: 'metadata.simulate', rule: 'enum' });
  expect(problem?.params['nearest']).toBe(nearest);
  expect(problem?.message).toContain('unavailable:<n>');
});

test('metadata without it has no problem', () => {
  const none: Parameters<typeof simulationProblem>[0][] = [undefined, null, {}, { order: 'x' }, { simulate: null }];
  for (const metadata of none) expect(simulationProblem(metadata)).toBeUndefined();
});

test('the guide documents each value and no other', () => {
  const documented = simulation.flatMap(([values]) => [...values.matchAll(/`([a-z_]+)(?::<\w+>)?`/g)].map(([, name]) => name));
  expect([...new Set(documented)].sort()).toEqual([...simulations, 'slow', 'unavailable'].sort());
});
