import { createCircuit } from './circuit.ts';
import { FakeClock } from './clock.ts';
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
    await clock.sleep(state === 'answers' ? 10 : ms);
    if (state !== 'answers') throw new Error('no answer');
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

test('work that is done is heard, and no ping is sent beside it nor when there is none', async () => {
  const { clock, call, pings } = build();
  for (let n = 0; n < 100; n += 1) {
    void call();
    await clock.advance(100);
  }
  await clock.advance(60_000);
  expect(pings()).toBeLessThanOrEqual(1);
  expect(clock.nextAt()).toBeUndefined();
});

test('a short interruption opens nothing', async () => {
  const { clock, call, soon, seen, become } = build();
  become('hangs');
  void call();
  await clock.advance(1_400);
  become('answers');
  expect(await soon(call())).toBe('done');
  await clock.advance(60_000);
  expect(seen).toEqual([]);
  expect(clock.nextAt()).toBeUndefined();
});

test('nothing is asked after it is closed', async () => {
  const { clock, circuit, call, pings, become } = build();
  become('hangs');
  void call();
  circuit.close();
  await clock.advance(60_000);
  expect(pings()).toBe(0);
});
