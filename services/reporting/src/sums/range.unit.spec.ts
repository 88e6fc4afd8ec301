import type { Filter } from '@svc/document-store';
import fc from 'fast-check';
import { endOf, positionOf } from '../postings/block.ts';
import { filtersOf, within, type Range } from './range.ts';

const days = ['2026-01-30', '2026-01-31', '2026-02-01'];
const ids = ['inv_1', 'inv_2', 'rcp_1'];
const day = fc.constantFrom(...days);
const position = fc.oneof(
  fc.constant(''),
  day,
  fc.tuple(day, fc.constantFrom(...ids)).map(([on, id]) => positionOf(on, id)),
);
const range: fc.Arbitrary<Range> = fc
  .record({ from: position, to: fc.option(fc.oneof(position, day.map(endOf))) })
  .filter(({ from, to }) => to === null || from < to);

const postings = days.flatMap((counted_on) => ids.map((id) => ({ counted_on, _id: `${id}:0003` })));
const matches = (posting: Record<string, string>, filter: Filter): boolean =>
  Object.entries(filter).every(([field, condition]) => {
    const value = posting[field] as string;
    if (typeof condition === 'string') return value === condition;
    const { $gt, $gte, $lt, $lte } = condition as Record<string, string | undefined>;
    return !(
      ($gt !== undefined && value <= $gt) ||
      ($gte !== undefined && value < $gte) ||
      ($lt !== undefined && value >= $lt) ||
      ($lte !== undefined && value > $lte)
    );
  });
const isIn = ({ counted_on, _id }: (typeof postings)[number], { from, to }: Range): boolean => {
  const at = positionOf(counted_on, _id);
  return at >= from && (to === null || at < to);
};

test('the filters of a range match its postings, each once and in order', () => {
  fc.assert(
    fc.property(range, (one) => {
      const found = filtersOf('counted_on', one).flatMap((filter) => postings.filter((posting) => matches(posting, filter)));
      expect(found).toEqual(postings.filter((posting) => isIn(posting, one)));
    }),
  );
});

test('the part of a range within another has the postings that are in both', () => {
  fc.assert(
    fc.property(range, range, (one, other) => {
      const part = within(one, other);
      const both = postings.filter((posting) => isIn(posting, one) && isIn(posting, other));
      expect(part ? postings.filter((posting) => isIn(posting, part)) : []).toEqual(both);
    }),
  );
});
