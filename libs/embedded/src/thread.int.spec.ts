import { Thread } from './thread.ts';

/** Does what its message says. */
const SOURCE = `
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  parentPort.on('message', ({ does, port }) => {
    if (does === 'loop') for (;;);
    if (does === 'exit') process.exit();
    if (does === 'throw') throw new Error('failed');
    if (does === 'answer') port.postMessage('first');
    port.on('message', (text) => (text === 'exit' ? process.exit() : port.postMessage(text)));
  });`;
const IN_TIME_MS = 60_000;

test('answers each message of a conversation by its own port', async () => {
  const thread = new Thread('test', SOURCE);
  const [one, other] = [thread.begin({ does: 'answer' }), thread.begin({ does: 'answer' })];
  expect([await one.answer(IN_TIME_MS), await other.answer(IN_TIME_MS)]).toEqual(['first', 'first']);
  other.send('second');
  expect(await other.answer(IN_TIME_MS)).toBe('second');
  one.close();
  other.close();
});

test.each([
  ['does not answer', 'nothing', 50],
  ['never gives its turn back', 'loop', 50],
  ['ends', 'exit', IN_TIME_MS],
  ['throws', 'throw', IN_TIME_MS],
])('a thread that %s fails what waits for it, and the next message starts another', async (_what, does, ms) => {
  const thread = new Thread('test', SOURCE);
  const one = thread.begin({ does });
  await expect(one.answer(ms)).rejects.toThrow('the thread of test has ended');
  one.close();
  const next = thread.begin({ does: 'answer' });
  expect(await next.answer(IN_TIME_MS)).toBe('first');
  next.close();
});

test('a thread that ends between two answers fails the next one', async () => {
  const thread = new Thread('test', SOURCE);
  const [one, other] = [thread.begin({ does: 'answer' }), thread.begin({ does: 'answer' })];
  await Promise.all([one.answer(IN_TIME_MS), other.answer(IN_TIME_MS)]);
  one.send('exit');
  await expect(other.answer(IN_TIME_MS)).rejects.toThrow('the thread of test has ended');
  await expect(one.answer(IN_TIME_MS)).rejects.toThrow('the thread of test has ended');
  one.close();
  other.close();
});
