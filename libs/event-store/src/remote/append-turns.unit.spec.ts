import { FakeClock } from '@svc/kernel';
import { createAppendTurns } from './append-turns.ts';

const KIB = 1024;

/** Asks for a turn and notes its account when it has it. */
function asking() {
  const clock = new FakeClock();
  const turns = createAppendTurns(clock);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (account: string, bytes: number): Promise<void> =>
    turns.take(account, bytes).then((end) => {
      begun.push(account);
      ends.push(end);
    });
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { ask, begun, ends, settled, clock };
}

test('large appends begin one after the other, so many that 512 KiB are under way', async () => {
  const { ask, begun, ends, settled } = asking();
  for (let n = 0; n < 10; n += 1) void ask('a', 200 * KIB);
  await settled();
  expect(begun).toHaveLength(3);
  ends.shift()?.();
  await settled();
  expect(begun).toHaveLength(4);
  for (let end = ends.shift(); end; end = ends.shift()) {
    end();
    await settled();
  }
  expect(begun).toHaveLength(10);
});

test('one that is larger than all that may be under way begins', async () => {
  const { ask, begun } = asking();
  await ask('a', 1_000 * KIB);
  expect(begun).toEqual(['a']);
});

test('small ones do not wait', async () => {
  const { ask, begun } = asking();
  for (let n = 0; n < 10; n += 1) void ask('a', 900 * KIB);
  await ask('b', 16 * KIB);
  expect(begun).toEqual(['a', 'b']);
});

test('the account that has appended the fewest bytes is next', async () => {
  const { ask, begun, ends, settled } = asking();
  for (let n = 0; n < 10; n += 1) void ask('a', 600 * KIB);
  void ask('b', 600 * KIB);
  await settled();
  ends.shift()?.();
  await settled();
  ends.shift()?.();
  await settled();
  expect(begun).toEqual(['a', 'b', 'a']);
});

test('one that waits too long is refused, and does not begin later', async () => {
  const { ask, begun, ends, settled, clock } = asking();
  await ask('a', 600 * KIB);
  const refused = expect(ask('a', 600 * KIB)).rejects.toMatchObject({ code: 'service_unavailable', retryAfter: 1 });
  await clock.advance(8_000);
  await refused;
  ends.shift()?.();
  await settled();
  expect(begun).toEqual(['a']);
});
