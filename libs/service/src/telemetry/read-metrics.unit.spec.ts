import { FakeClock, settleTurns } from '@svc/kernel';
import { Gauge, register } from './metrics.ts';
import { metricsReader } from './read-metrics.ts';

interface Shown {
  name: string;
  values: { value: number; labels: Record<string, string> }[];
}

/** Gauges with these `collect` functions, and a reader on a fake clock. */
function open(collects: Record<string, () => number | Promise<number>>) {
  for (const [name, collect] of Object.entries(collects))
    new Gauge({
      name,
      help: 'x',
      async collect() {
        this.set(await collect());
      },
    });
  const clock = new FakeClock();
  const logged: unknown[] = [];
  const warn = (fields: object): void => void logged.push((fields as { metric: unknown }).metric);
  const readAll = metricsReader((metric) => (metric as unknown as { get(): Promise<Shown> }).get(), { logger: { warn }, clock });
  const valuesOf = (shown: Shown[]): Record<string, number | undefined> =>
    Object.fromEntries(shown.filter(({ name }) => name in collects).map(({ name, values }) => [name, values[0]?.value]));
  return { clock, logged, read: async () => valuesOf(await readAll()) };
}

const unreadOf = async (metric: string): Promise<number | undefined> => {
  const { values } = (await register.getSingleMetric('svc_metrics_unread_total')?.get()) as unknown as Shown;
  return values.find(({ labels }) => labels['metric'] === metric)?.value;
};

afterEach(() => {
  for (const name of ['failing', 'steady', 'hanging']) register.removeSingleMetric(name);
});

test('a metric that cannot be read is omitted, counted each time, and logged once until it is read again', async () => {
  let away = true;
  const { logged, read } = open({ failing: () => (away ? Promise.reject(new Error('away')) : 3), steady: () => 1 });
  for (let n = 0; n < 3; n += 1) expect(await read()).toEqual({ steady: 1 });
  expect([logged, await unreadOf('failing'), await unreadOf('steady')]).toEqual([['failing'], 3, undefined]);
  away = false;
  expect(await read()).toEqual({ steady: 1, failing: 3 });
  away = true;
  await read();
  expect(logged).toEqual(['failing', 'failing']);
});

test('a metric that hangs is omitted after 2 s, and not read again before it returns', async () => {
  const answer = Promise.withResolvers<number>();
  let asked = 0;
  const { clock, read } = open({ hanging: () => ((asked += 1), answer.promise), steady: () => 1 });
  for (let n = 0; n < 3; n += 1) {
    let isOver = false;
    const shown = read().finally(() => (isOver = true));
    await clock.advance(1_999);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(await shown).toEqual({ steady: 1 });
  }
  expect(asked).toBe(1);
  answer.resolve(7);
  await settleTurns();
  expect(await read()).toEqual({ hanging: 7, steady: 1 });
  expect(asked).toBe(2);
});

test('a metric that never returns is read again after a minute, and shown when that returns', async () => {
  let asked = 0;
  const { clock, read } = open({ hanging: () => ((asked += 1) === 1 ? new Promise<number>(() => undefined) : 7) });
  const readUntilLate = async (): Promise<unknown> => {
    const shown = read();
    await clock.advance(2_000);
    return shown;
  };
  expect(await readUntilLate()).toEqual({});
  await clock.advance(57_999);
  expect(await readUntilLate()).toEqual({});
  expect(asked).toBe(1);
  expect(await readUntilLate()).toEqual({ hanging: 7 });
});
