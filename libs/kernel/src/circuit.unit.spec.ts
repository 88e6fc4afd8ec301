import { createCircuit } from './circuit.ts';
import { FakeClock } from './fake-clock.ts';
import { Denied } from './denied.ts';

/** A server that answers within 10 ms, or not at all, or refuses at once, the connection or the user. */
function build() {
  const clock = new FakeClock();
  const seen: boolean[] = [];
  let state: 'answers' | 'hangs' | 'refuses' | 'denies' = 'answers';
  let pings = 0;
  const ask = async (ms: number): Promise<string> => {
    if (state === 'refuses') throw new Error('refused');
    if (state === 'denies') throw new Denied({ server: 'The server', user: 'invoicing', right: null, code: 18 });
    for (let waited = 0; state === 'hangs' && waited < ms; waited += 10) await clock.sleep(10);
    if (state !== 'answers') throw new Error('no answer');
    await clock.sleep(10);
    return 'done';
  };
  const ping = (): Promise<string> => {
    pings += 1;
    return ask(1_000);
  };
  const circuit = createCircuit({ ping, clock, refusal: () => new Error('away'), changed: (isOpen) => seen.push(isOpen) });
  const call = (ms = 5_000): Promise<string> => circuit.through(() => ask(ms)).catch((error: Error) => error.message);
  const soon = async (asked: Promise<string>): Promise<string> => {
    await clock.advance(20);
    return Promise.race([asked, 'waits']);
  };
  return { clock, circuit, seen, call, soon, pings: () => pings, become: (next: typeof state) => (state = next) };
}

test.each(['hangs', 'refuses'] as const)('work is refused at once from 2 s after the server %s, until it answers a ping', async (how) => {
  const { clock, call, soon, seen, become } = build();
  become(how);
  void call();
  await clock.advance(1_000);
  expect(await soon(call())).toBe(how === 'hangs' ? 'waits' : 'refused');
  await clock.advance(1_000);
  expect(await soon(call())).toBe('away');
  await clock.advance(60_000);
  expect(await soon(call())).toBe('away');
  become('answers');
  await clock.advance(1_000);
  expect(await soon(call())).toBe('done');
  expect(seen).toEqual([true, false]);
});

test('a server that denies the user has answered: its error names the user for as long as it does', async () => {
  const { clock, circuit, call, soon, seen, become } = build();
  become('denies');
  void circuit.through(() => clock.sleep(60_000));
  for (let n = 0; n < 20; n += 1) {
    expect(await soon(call())).toContain('does not accept the user invoicing');
    await clock.advance(1_000);
  }
  expect(seen).toEqual([]);
});

test('one piece of work that takes long is no sign, since pings are answered beside it', async () => {
  const { clock, circuit, call, soon, seen, pings } = build();
  void circuit.through(() => clock.sleep(60_000));
  await clock.advance(30_000);
  expect(pings()).toBeGreaterThan(20);
  expect(await soon(call())).toBe('done');
  expect(seen).toEqual([]);
});

test('work that is done is heard: no ping is sent beside it, and two a second where there is none', async () => {
  const { clock, call, pings } = build();
  for (let n = 0; n < 100; n += 1) {
    void call();
    await clock.advance(100);
  }
  expect(pings()).toBe(0);
  await clock.advance(60_000);
  expect(pings()).toBeGreaterThan(115);
  expect(pings()).toBeLessThanOrEqual(120);
});

/** Where in the time between two looks it begins. */
const offsets = Array.from({ length: 10 }, (_, n) => n * 50);

test.each(offsets)(
  'a server that has been away for 2 s is known, and one that was for 1.4 s is not, with work and without: %i ms later',
  async (offset) => {
    for (const isBusy of [true, false]) {
      const { clock, circuit, call, soon, seen, become } = build();
      const spend = async (ms: number): Promise<void> => {
        for (let spent = 0; spent < ms; spent += 50) {
          if (isBusy) void call();
          await clock.advance(50);
        }
      };
      expect(await soon(call())).toBe('done');
      await spend(1_000 + offset);
      for (const ms of [1_400, 2_000]) {
        become('hangs');
        await spend(ms);
        expect([isBusy, ms, seen]).toEqual([isBusy, ms, ms === 2_000 ? [true] : []]);
        become('answers');
        await spend(5_000);
      }
      circuit.close();
    }
  },
);

test('work that is under way when the circuit opens is left, with an error of its own where it has one', async () => {
  const { clock, circuit, call, become } = build();
  become('hangs');
  const ended: string[] = [];
  const note = (error: Error): unknown => ended.push(error.message);
  void call(60_000).then((message) => ended.push(message));
  circuit
    .through(
      () => clock.sleep(60_000).then(() => Promise.reject(new Error('late'))),
      () => new Error('unknown'),
    )
    .catch(note);
  await clock.advance(1_900);
  expect(ended).toEqual([]);
  await clock.advance(100);
  expect(ended.toSorted()).toEqual(['away', 'unknown']);
  expect(() => circuit.admit()).toThrow('away');
  await clock.advance(60_000);
  expect(ended).toHaveLength(2);
});

test('nothing is asked after it is closed', async () => {
  const { clock, circuit, call, pings, become } = build();
  become('hangs');
  void call();
  circuit.close();
  await clock.advance(60_000);
  expect(pings()).toBe(0);
});
