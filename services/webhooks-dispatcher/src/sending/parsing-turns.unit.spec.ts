import { monotonicMs } from '@svc/kernel';
import { createParsingTurns } from './parsing-turns.ts';

const busy = (): void => {
  for (const until = monotonicMs() + 3; monotonicMs() < until;);
};

test('accounts have turns, and the event loop has its own between them', async () => {
  const inTurn = createParsingTurns();
  const order: string[] = [];
  const ended = Promise.withResolvers<void>();
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    if (order.length < 21) setImmediate(turn);
    else ended.resolve();
  };
  for (let n = 0; n < 20; n += 1)
    inTurn('many', () => {
      busy();
      process.nextTick(() => order.push('many'));
    });
  inTurn('one', () => process.nextTick(() => order.push('one')));
  setImmediate(turn);
  await ended.promise;
  expect(order.indexOf('one')).toBe(1);
  expect(turns).toBeGreaterThanOrEqual(10);
});
