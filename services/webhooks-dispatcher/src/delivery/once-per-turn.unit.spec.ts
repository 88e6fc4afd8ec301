import { settleTurns } from '@svc/kernel';
import { oncePerTurn } from './in-flight.ts';

test('reads once for all who ask in one turn, and again in the next, although the first read is under way', async () => {
  const reads: string[] = [];
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const read = oncePerTurn((id) => (answers[reads.push(id) - 1] as PromiseWithResolvers<string>).promise);
  const first = [read('a'), read('a'), read('b')];
  expect(reads).toEqual(['a', 'b']);
  await settleTurns(2);
  const later = read('a');
  expect(reads).toEqual(['a', 'b', 'a']);
  answers.forEach(({ resolve }, n) => resolve(`answer ${n}`));
  expect(await Promise.all([...first, later])).toEqual(['answer 0', 'answer 0', 'answer 1', 'answer 2']);
});
