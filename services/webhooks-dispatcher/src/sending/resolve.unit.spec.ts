import { FakeClock, settleTurns } from '@svc/kernel';
import { boundedResolve } from './resolve.ts';

function scene() {
  const clock = new FakeClock();
  const asked: string[] = [];
  const answers = new Map<string, (addresses: string[]) => void>();
  const resolve = boundedResolve((host) => {
    asked.push(host);
    return new Promise((answer) => answers.set(host, answer));
  }, clock);
  return { clock, asked, answers, resolve };
}

test('a name that does not answer is given up in time', async () => {
  const { clock, resolve } = scene();
  const [soon, later] = [resolve('slow.example', 2_000), resolve('slow.example', 10_000)].map((answer) =>
    answer.catch((error: Error & { code?: string }) => error.code),
  );
  let ended = 0;
  void soon?.then(() => (ended += 1));
  void later?.then(() => (ended += 1));
  for (const [ms, sum] of [
    [1_999, 0],
    [1, 1],
    [7_999, 1],
    [1, 2],
  ] as const) {
    await clock.advance(ms);
    expect(ended).toBe(sum);
  }
  expect(await Promise.all([soon, later])).toEqual(['ETIMEOUT', 'ETIMEOUT']);
});

test('at most 32 names are looked up at once, each once for all who ask meanwhile and anew after that', async () => {
  const { asked, answers, resolve } = scene();
  const all = Array.from({ length: 40 }, (_, n) => resolve(`h${n}.example`, 2_000));
  const again = resolve('h0.example', 2_000);
  expect(asked).toHaveLength(32);
  for (let n = 0; n < 40; n += 1) {
    answers.get(`h${n}.example`)?.([`203.0.113.${n}`]);
    await settleTurns(1);
  }
  expect((await Promise.all([...all, again])).map(([address]) => address)).toEqual([...Array(40).keys(), 0].map((n) => `203.0.113.${n}`));
  expect(asked).toHaveLength(40);
  void resolve('h0.example', 2_000).catch(() => undefined);
  expect(asked).toHaveLength(41);
});
