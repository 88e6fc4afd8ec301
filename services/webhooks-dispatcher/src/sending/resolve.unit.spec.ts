import { FakeClock, settleTurns } from '@svc/kernel';
import { sharedResolve } from './resolve.ts';

function fixture() {
  const clock = new FakeClock();
  const asked: string[] = [];
  const calledOff: string[] = [];
  const answers = new Map<string, (addresses: string[]) => void>();
  const resolve = sharedResolve((host, signal) => {
    asked.push(host);
    signal.addEventListener('abort', () => calledOff.push(host));
    return new Promise((answer) => answers.set(host, answer));
  }, clock);
  return { clock, asked, calledOff, answers, resolve };
}

test('rejects in time for a name that does not answer, and cancels the lookup when the last caller gave up', async () => {
  const { clock, calledOff, resolve } = fixture();
  const [soon, later] = [resolve('slow.example', 2_000), resolve('slow.example', 10_000)].map((answer) =>
    answer.catch((error: Error & { code?: string }) => error.code),
  );
  let ended = 0;
  void soon?.then(() => (ended += 1));
  void later?.then(() => (ended += 1));
  for (const [ms, sum, off] of [
    [1_999, 0, 0],
    [1, 1, 0],
    [7_999, 1, 0],
    [1, 2, 1],
  ] as const) {
    await clock.advance(ms);
    expect([ended, calledOff.length]).toEqual([sum, off]);
  }
  expect(await Promise.all([soon, later])).toEqual(['ETIMEOUT', 'ETIMEOUT']);
});

test('looks a name up once for concurrent callers and for 5 s after, then again', async () => {
  const { clock, asked, answers, resolve } = fixture();
  const both = [resolve('shop.example', 2_000), resolve('shop.example', 2_000)];
  answers.get('shop.example')?.(['203.0.113.1']);
  expect(await Promise.all(both)).toEqual([['203.0.113.1'], ['203.0.113.1']]);
  await clock.advance(4_999);
  expect(await resolve('shop.example', 2_000)).toEqual(['203.0.113.1']);
  expect(asked).toHaveLength(1);
  await clock.advance(1);
  void resolve('shop.example', 2_000).catch(() => undefined);
  expect(asked).toHaveLength(2);
});

test('looks a name up again once the clock is set back', async () => {
  const { clock, asked, answers, resolve } = fixture();
  const first = resolve('shop.example', 2_000);
  answers.get('shop.example')?.(['203.0.113.1']);
  await first;
  await clock.advance(-3_600_000);
  void resolve('shop.example', 2_000).catch(() => undefined);
  expect(asked).toHaveLength(2);
});

test('uses the first 64 addresses of a name, of which its owner may give thousands', async () => {
  const { answers, resolve } = fixture();
  const many = resolve('many.example', 2_000);
  answers.get('many.example')?.(Array.from({ length: 4_000 }, (_, n) => `203.0.${n >> 8}.${n & 255}`));
  expect((await many).length).toBe(64);
  expect((await resolve('many.example', 2_000)).length).toBe(64);
});

test('resolves a name while any number of others do not answer', async () => {
  const { asked, answers, resolve } = fixture();
  for (let n = 0; n < 2_000; n += 1) void resolve(`h${n}.example`, 10_000).catch(() => undefined);
  const quick = resolve('quick.example', 2_000);
  expect(asked).toHaveLength(2_001);
  answers.get('quick.example')?.(['203.0.113.1']);
  await settleTurns(1);
  expect(await quick).toEqual(['203.0.113.1']);
});
