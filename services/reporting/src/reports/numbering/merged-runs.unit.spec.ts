import fc from 'fast-check';
import { mergedRuns, mostAtOnce, type Run } from './merged-runs.ts';
import { inOrder, type TakenNumber } from './taken-number.ts';

const numberAt = (series_key: string, seq: number): TakenNumber => ({
  ...{ series: series_key, series_key, number: `${seq}`, seq, document_id: `inv_${series_key}${seq}` },
  ...{ issued_at: '2026-01-10T09:00:00.000Z', fate: 'registered', isSelected: true },
});

/** Numbers of series, each in one of some runs. */
const taken = fc.uniqueArray(fc.record({ series: fc.constantFrom('A', 'B'), seq: fc.nat(60), run: fc.nat(5) }), {
  maxLength: 50,
  selector: ({ series, seq }) => `${series}${seq}`,
});

function runsOf(all: readonly { series: string; seq: number; run: number }[], opened: (count: number) => void): Run[] {
  return [...Map.groupBy(all, ({ series, run }) => `${series}${run}`).values()].map((own) => {
    const numbers = own.map(({ series, seq }) => numberAt(series, seq)).sort(inOrder);
    const [first, last] = [numbers[0], numbers.at(-1)] as [TakenNumber, TakenNumber];
    return {
      ...{ series_key: first.series_key, first: first.seq, last: last.seq, count: numbers.length },
      async numbers() {
        opened(numbers.length);
        return numbers;
      },
    };
  });
}

test('the numbers of runs come in order, each once, however the runs interleave', async () => {
  await fc.assert(
    fc.asyncProperty(taken, async (all) => {
      const runs = runsOf(all, () => undefined);
      const expected = all.map(({ series, seq }) => numberAt(series, seq)).sort(inOrder);
      expect((await Array.fromAsync(mergedRuns(runs, 3))).flat()).toEqual(expected);
    }),
  );
});

test('no more numbers are held than are said beforehand, beside those that are passed on', async () => {
  await fc.assert(
    fc.asyncProperty(taken, async (all) => {
      let [read, passed, most] = [0, 0, 0];
      const runs = runsOf(all, (count) => {
        read += count;
        most = Math.max(most, read - passed);
      });
      for await (const numbers of mergedRuns(runs, 3)) passed += numbers.length;
      expect(most).toBeLessThan(mostAtOnce(runs) + 3);
    }),
  );
});
