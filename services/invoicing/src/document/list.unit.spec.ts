import { numberFields } from './list.ts';

test('numbers sort by series, year and sequence, whatever their format', () => {
  const of = (series: string, issue_date: string, seq: number, number: string) => numberFields({ series }, { number, seq, issue_date });
  const inOrder = [
    of('A', '2026-01-01', 11, '11-A'),
    of('N', '2025-12-30', 8, '8/2025'),
    of('N', '2026-01-01', 1, '1/2026'),
    of('N', '2026-05-01', 2, '2/2026'),
    of('N', '2026-05-01', 10, '10/2026'),
    of('N', '2026-05-02', Number.MAX_SAFE_INTEGER, '9007199254740991/2026'),
    of('NA', '2024-01-01', 1, '1/2024'),
  ];
  expect(inOrder.toSorted((a, b) => ((a.number_key ?? '') < (b.number_key ?? '') ? -1 : 1))).toEqual(inOrder);
});

test('tills that count on their own have keys of their own', () => {
  const [first, second] = ['1/2026/T1', '1/2026/T2'].map((number) =>
    numberFields({ series: 'RCP' }, { number, seq: 1, issue_date: '2026-01-01' }),
  );
  expect(first?.number_key).not.toBe(second?.number_key);
});
