import { DomainError } from '@svc/kernel';
import { inOrder } from './answer-batch.ts';

/** Runs the items at once, each some turns long, and returns the ends in their order of time and the outcomes. */
async function runAll(items: { name: string; turns: number; fails?: DomainError }[]) {
  const log: string[] = [];
  const run = inOrder(async ({ name, turns, fails }: (typeof items)[number]) => {
    log.push(`${name} begins`);
    for (let n = 0; n < turns; n += 1) await new Promise((done) => setImmediate(done));
    log.push(`${name} ends`);
    if (fails) throw fails;
    return name;
  });
  const settled = await Promise.allSettled(items.map(run));
  return { log, outcomes: settled.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as DomainError).code)) };
}

test('an item begins when the one before has ended, however long that takes', async () => {
  const { log, outcomes } = await runAll([
    { name: 'long', turns: 5 },
    { name: 'short', turns: 0 },
  ]);
  expect(log).toEqual(['long begins', 'long ends', 'short begins', 'short ends']);
  expect(outcomes).toEqual(['long', 'short']);
});

test('a refused item does not stop those after it', async () => {
  const refused = new DomainError('validation_error', 'no');
  expect(
    (
      await runAll([
        { name: 'a', turns: 1, fails: refused },
        { name: 'b', turns: 0 },
      ])
    ).outcomes,
  ).toEqual(['validation_error', 'b']);
});

test.each(['service_unavailable', 'outcome_unknown', 'internal_error'] as const)('after %s nothing more is carried out', async (code) => {
  const { log, outcomes } = await runAll([
    { name: 'a', turns: 0 },
    { name: 'b', turns: 1, fails: new DomainError(code, 'later') },
    { name: 'c', turns: 0 },
    { name: 'd', turns: 0 },
  ]);
  expect(outcomes).toEqual(['a', code, 'service_unavailable', 'service_unavailable']);
  expect(log.filter((line) => line.startsWith('c') || line.startsWith('d'))).toEqual([]);
});
