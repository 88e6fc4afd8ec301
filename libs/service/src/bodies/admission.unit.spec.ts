import { FakeClock } from '@svc/kernel';
import { createAdmission, type Held } from './admission.ts';

const KIB = 1024;
const limits = { waitingPerAccount: 400 * KIB, waitingInAll: 1_000 * KIB, waitMs: 10_000, graceMs: 1_000, leastRate: 64 * KIB };

function start() {
  const clock = new FakeClock();
  const admission = createAdmission(limits, clock);
  const events: string[] = [];
  const upload = (name: string, { bytes = 20 * KIB, received = (): number => 0 } = {}) => {
    const one: { held?: Held; leave?: () => void } = {};
    one.leave = admission.enter({
      ...{ account: name.split('-')[0] as string, bytes, received },
      go(held) {
        one.held = held;
        events.push(`${name} goes`);
      },
      refuse: () => void events.push(`${name} is refused`),
    });
    return one;
  };
  const taken = (): string[] => events.splice(0);
  return { clock, upload, taken };
}
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

test('announced bytes that do not come make way for accounts that wait, and hold up none of them', async () => {
  const { clock, upload, taken } = start();
  for (let n = 0; n < 10; n += 1) times(20, (k) => upload(`slow${n}-${k}`));
  taken();
  times(6, (n) => upload(`victim-${n}`, { bytes: 10 * KIB }));
  const atFirst = taken();
  expect(atFirst.filter((event) => event.endsWith('refused'))).toEqual([]);
  await clock.advance(limits.graceMs + 200);
  expect([...atFirst, ...taken()].filter((event) => event.startsWith('victim'))).toEqual(times(6, (n) => `victim-${n} goes`));
});

test('uploads that are fast enough, and those of who holds no more than who waits, go on', async () => {
  const { clock, upload, taken } = start();
  const since = clock.now();
  const fast = { bytes: 200 * KIB, received: () => ((clock.now() - since) * 100 * KIB) / 1_000 };
  times(5, (n) => upload(`fast${n}`, fast));
  expect(taken()).toEqual(times(5, (n) => `fast${n} goes`));
  upload('other', { bytes: 200 * KIB });
  await clock.advance(limits.waitMs - 1);
  expect(taken()).toEqual([]);
  await clock.advance(1);
  expect(taken()).toEqual(['other is refused']);
});

test('what has arrived is not refused any more', async () => {
  const { clock, upload, taken } = start();
  for (const { held } of times(40, (n) => upload(`a${n % 4}-${n}`, { bytes: 25 * KIB }))) held?.arrived();
  taken();
  upload('b', { bytes: 400 * KIB });
  await clock.advance(5_000);
  expect(taken()).toEqual([]);
});

test('those that wait are served in rotation when bytes are released, and who goes away is forgotten', async () => {
  const { clock, upload, taken } = start();
  const first = times(5, (n) => upload(`h${n}`, { bytes: 200 * KIB }));
  taken();
  const [gone] = ['b-1', 'a-1', 'a-2', 'b-2', 'c-1'].map((name) => upload(name, { bytes: 60 * KIB }));
  gone?.leave?.();
  for (const { held } of first) held?.release();
  expect(taken()).toEqual(['b-2 goes', 'a-1 goes', 'c-1 goes', 'a-2 goes']);
  await clock.advance(limits.waitMs);
  expect(taken()).toEqual([]);
});

test('an account that holds and waits for more than its limit is refused at once', () => {
  const { upload, taken } = start();
  times(3, (n) => upload(`a-${n}`, { bytes: 180 * KIB }));
  expect(taken()).toEqual(['a-0 goes', 'a-1 goes', 'a-2 is refused']);
});
