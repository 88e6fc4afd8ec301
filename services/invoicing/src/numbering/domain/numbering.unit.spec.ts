import { DomainError } from '@svc/kernel';
import fc from 'fast-check';
import { answers, numberAfter, refusedAfter, type Numbering, type NumberTaken } from './numbering.ts';

const numbering: Numbering = {
  stream: 'series-test.acct_1.INV.2026',
  seen: 'none',
  series: 'INV',
  format: '{series}-{year}-{seq:6}',
  year: '2026',
  unit: null,
  device: null,
  first: 41,
  issue_date: null,
  time_zone: 'Europe/Paris',
};
const noon = (day: string): number => Date.parse(`${day}T12:00:00Z`);
const last = (issue_date: string, seq = 7): NumberTaken => ({
  document: 'x',
  seq,
  number: 'n',
  issued_at: `${issue_date}T00:00:00.000Z`,
  issue_date,
});
const next = (before: NumberTaken | undefined, over: Partial<Numbering>, now = noon('2026-03-10')) =>
  numberAfter(before, { ...numbering, ...over }, 'inv_1', now);

test('the first number is the series’ start, the next one higher', () => {
  expect(next(undefined, {})).toEqual({
    document: 'inv_1',
    seq: 41,
    number: 'INV-2026-000041',
    issued_at: '2026-03-10T12:00:00.000Z',
    issue_date: '2026-03-10',
  });
  expect(next(last('2026-03-10'), {})).toMatchObject({ seq: 8, number: 'INV-2026-000008' });
});

test('the moment of numbering is not before that of the number before it, also after a refusal, whatever the clock says', () => {
  const before: NumberTaken = { ...last('2026-03-12'), issued_at: '2026-03-12T12:00:00.000Z' };
  const expected = { issued_at: '2026-03-12T12:00:00.000Z', issue_date: '2026-03-12' };
  expect(next(before, {}, noon('2026-03-10'))).toMatchObject(expected);
  expect(next(before, {}, noon('2026-03-13'))).toMatchObject({ issued_at: '2026-03-13T12:00:00.000Z', issue_date: '2026-03-13' });
  const refused = refusedAfter(before, numbering, { document: 'y', request: 1, details: {} });
  expect(numberAfter(refused, numbering, 'inv_1', noon('2026-03-10'))).toMatchObject(expected);
  const refusedFirst = refusedAfter(undefined, numbering, { document: 'y', request: 1, details: {} });
  expect(Object.keys(refusedFirst)).not.toContain('issued_at');
});

test.each([
  ['today', undefined, null, '2026-03-10', '2026-03-10'],
  ['today in the issuer’s zone', undefined, null, '2026-03-10T23:30:00Z', '2026-03-11'],
  ['the last one, when that is later', last('2026-03-12'), null, '2026-03-10', '2026-03-12'],
  ['the given one', last('2026-03-01'), '2026-03-01', '2026-03-10', '2026-03-01'],
  ['within the year of the count, also after midnight', last('2026-12-31'), null, '2027-01-01', '2026-12-31'],
] as const)('issue date: %s', (_what, before, issue_date, now, expected) => {
  const at = now.length > 10 ? Date.parse(now) : noon(now);
  expect(next(before, { issue_date }, at)).toMatchObject({ issue_date: expected });
});

test('a given date before the last one is rejected, with the last date in the error', () => {
  const refused = next(last('2026-03-02'), { issue_date: '2026-03-01' });
  expect(refused).toBeInstanceOf(DomainError);
  expect(refused).toMatchObject({ code: 'validation_error', details: { issue_date: [expect.stringContaining('2026-03-02')] } });
});

test('a document due on the day before midnight is issued on it; where the series is already further it takes no number', () => {
  const due_date = '2026-03-10';
  expect(next(undefined, { due_date }, Date.parse('2026-03-10T23:30:00Z'))).toMatchObject({ issue_date: '2026-03-10' });
  expect(next(last('2026-03-10'), { due_date }, Date.parse('2026-03-10T23:30:00Z'))).toMatchObject({ issue_date: '2026-03-10' });
  const refused = next(last('2026-03-11'), { due_date });
  expect((refused as DomainError).details).toEqual({ due_date: [expect.stringMatching(/2026-03-10.*2026-03-11.*PATCH due_date/)] });
});

test('for every order of requests: numbers without gaps and dates that never decrease', () => {
  const day = fc.integer({ min: 0, max: 364 }).map((n) => new Date(noon('2026-01-01') + n * 86_400_000).toISOString().slice(0, 10));
  const claim = fc.record({ today: day, given: fc.option(day) });
  fc.assert(
    fc.property(fc.array(claim, { maxLength: 40 }), (claims) => {
      const taken: NumberTaken[] = [];
      for (const { today, given } of claims) {
        const link = next(taken.at(-1), { issue_date: given }, noon(today));
        if (!(link instanceof DomainError)) taken.push(link);
        else expect(given! < taken.at(-1)!.issue_date).toBe(true);
      }
      taken.forEach(({ seq, issue_date }, n) => {
        expect(seq).toBe(41 + n);
        expect(issue_date >= (taken[n - 1]?.issue_date ?? '')).toBe(true);
      });
    }),
  );
});

describe('a stored refusal', () => {
  const refused = { document: 'inv_1', request: 2, details: { customer_id: ['is gone'] } };

  test('takes no number; dates continue from the last number', () => {
    const after = refusedAfter(last('2026-03-12'), numbering, refused);
    expect(after).toEqual({ ...refused, seq: 7, issue_date: '2026-03-12', issued_at: '2026-03-12T00:00:00.000Z' });
    expect(numberAfter(after, numbering, 'inv_2', noon('2026-03-10'))).toMatchObject({ seq: 8, issue_date: '2026-03-12' });
    expect(numberAfter(after, { ...numbering, issue_date: '2026-03-11' }, 'inv_2', noon('2026-03-12'))).toBeInstanceOf(DomainError);
  });

  test('before the first number leaves the start and any date possible', () => {
    const after = refusedAfter(undefined, numbering, refused);
    expect(numberAfter(after, { ...numbering, issue_date: '2026-01-01' }, 'inv_2', noon('2026-03-10'))).toMatchObject({ seq: 41 });
    expect(numberAfter(after, numbering, 'inv_2', noon('2026-03-10'))).toMatchObject({ seq: 41, issue_date: '2026-03-10' });
  });

  test('before the first number leaves a later change of the start possible, after any number of refusals', () => {
    const changed = { ...numbering, first: 100 };
    const after = refusedAfter(refusedAfter(undefined, numbering, refused), changed, { ...refused, request: 3 });
    expect(after).toMatchObject({ seq: 99, issue_date: null });
    expect(numberAfter(after, changed, 'inv_2', noon('2026-03-10'))).toMatchObject({ seq: 100 });
  });

  test('answers its own request and earlier ones; a number answers all', () => {
    const link = refusedAfter(undefined, numbering, refused);
    expect([1, 2, 3].map((request) => answers(request, link))).toEqual([true, true, false]);
    expect(answers(3, last('2026-03-12'))).toBe(true);
  });
});
