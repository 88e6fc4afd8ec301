import { createHashing, type Hasher } from './hashing.ts';

const stranger = (n: number): Hasher => ({ address: `10.0.${n >> 8}.${n & 255}`, isKnown: false });

/** Work that does not end before `open` is called, so that others wait. */
function fixture() {
  const hashing = createHashing();
  const done: string[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const ask = (who: Hasher, name: string) =>
    hashing.run(who, async () => {
      await opened;
      done.push(name);
    });
  return { ask, done, open };
}

test('who is known waits for no strangers, and is not refused where these are', async () => {
  const { ask, done, open } = fixture();
  const asked = Array.from({ length: 2_000 }, (_, n) => ask(stranger(n), 'stranger').catch(() => 'refused'));
  const own = ask({ address: '192.0.2.1', isKnown: true }, 'known');
  open();
  await own;
  expect(done.filter((name) => name === 'stranger').length).toBeLessThanOrEqual(3); // those that ran already
  expect((await Promise.all(asked)).filter((answer) => answer === 'refused').length).toBeGreaterThan(1_800);
});

test('5 wait of one network of IPv6, whatever their addresses', async () => {
  const { ask, open } = fixture();
  const asked = Array.from({ length: 20 }, (_, n) =>
    ask({ address: `2001:db8:1:1::${n + 1}`, isKnown: false }, 'one').catch(() => 'refused'),
  );
  open();
  expect((await Promise.all(asked)).filter((answer) => answer !== 'refused')).toHaveLength(2 + 5);
});
