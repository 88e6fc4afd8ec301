import { gapsIn } from './gaps.ts';

const raise = (after_seq: number | null, to_seq: number) => ({ series_key: 'INV.2026', after_seq, to_seq });
const reasons = (from_seq: number, to_seq: number, ...raises: ReturnType<typeof raise>[]) =>
  gapsIn({ series_key: 'INV.2026', from_seq, to_seq }, raises).map((gap) => [gap.from_seq, gap.to_seq, gap.reason]);

test.each<[string, ReturnType<typeof raise>[], [number, number, string][]]>([
  ['no raise', [], [[3, 8, 'missing']]],
  ['one raise over all of it', [raise(2, 8)], [[3, 8, 'restored']]],
  ['a raise over it that skips more on both sides, of which documents are known', [raise(1, 12)], [[3, 8, 'restored']]],
  ['two raises, one behind the other', [raise(2, 5), raise(5, 8)], [[3, 8, 'restored']]],
  [
    'a number missing before, between and behind raises',
    [raise(3, 5), raise(6, 7)],
    [
      [3, 3, 'missing'],
      [4, 5, 'restored'],
      [6, 6, 'missing'],
      [7, 7, 'restored'],
      [8, 8, 'missing'],
    ],
  ],
  [
    'a raise that does not say where it began',
    [raise(null, 6)],
    [
      [3, 6, 'restored'],
      [7, 8, 'missing'],
    ],
  ],
  ['one that ends behind a number that is known', [raise(null, 12)], [[3, 8, 'missing']]],
])('%s', (_, raises, expected) => expect(reasons(3, 8, ...raises)).toEqual(expected));
