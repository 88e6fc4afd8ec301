import { decimal, sum, toText } from '@svc/kernel';
import type { LineTerms, Tax, Totals } from '@svc/totals/terms';
import { totalsOf } from '@svc/totals/totals';
import { correctionOf, MOST_ROWS, type Corrections, type KnownCorrection, type Noted, type Settled } from './credits.ts';
import { refusalOf } from './correct.ts';
import { settled } from './settled.ts';
import { at, inState } from './testing/samples.ts';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import type { InvoiceState } from './state.ts';

const vat = (rate: string, over: Partial<Tax> = {}): Tax => ({ category: 'VAT', rate, code: 'S', retained: false, ...over });
const line = (unit_price: string, tax: Tax): LineTerms => ({ quantity: '1', unit_price, taxes: [tax], charges: [], discounts: [] });
const prices = (tax: Tax, ...all: string[]): LineTerms[] => all.map((price) => line(price, tax));
const times = (count: number, price: string): string[] => Array<string>(count).fill(price);
const at20 = vat('20');

const termsOf = (items: LineTerms[]) => ({ items, discounts: [], charges: [], rounding: 'line' as const, prices_include_tax: false });
const totals = (items: LineTerms[]): Totals => totalsOf({ ...termsOf(items), decimals: 2 });
const noted = (id: string, items: LineTerms[], type: Noted['content']['type'] = 'credit_note'): Noted => ({
  ...{ id, content: { ...termsOf(items), type, currency: 'EUR' }, totals: totals(items) },
});
const invoiceOf = (items: LineTerms[], corrections: Corrections = {}) => ({
  ...{ content: { ...termsOf(items), type: 'standard' as const, currency: 'EUR' }, totals: totals(items), corrections },
});
const held = (note: Noted, taken: Settled = settled(invoiceOf([]), note)): KnownCorrection => ({
  ...correctionOf(note, taken, 1),
  status: 'applied',
});

/** Credits these parts one after the other: the totals of each. */
function credited(items: LineTerms[], parts: LineTerms[][], corrections: Corrections = {}): Totals[] {
  let known = corrections;
  return parts.map((part, n) => {
    const note = noted(`inv_${n}`, part);
    const taken = settled(invoiceOf(items, known), note);
    known = { ...known, [note.id]: held(note, taken) };
    return taken.totals;
  });
}

/** Of two lines the last takes a cent less of the tax than it rounds to. */
const pair = prices(at20, '0.13', '0.13');
const [first, second] = [[pair[0]!], [pair[1]!]];

test('the last part takes what the others leave', () => {
  expect(credited(pair, [first, second]).map(({ tax_total, total }) => [tax_total, total])).toEqual([
    ['0.03', '0.16'],
    ['0.02', '0.15'],
  ]);
});

test('its own submission of before counts as nothing, also before the end of that is reported', () => {
  const note = noted('inv_1', second);
  const others = { inv_0: held(noted('inv_0', first)) };
  expect(settled(invoiceOf(pair, { ...others, inv_1: held(note) }), note).totals.total).toBe('0.15');
});

test('a corrective that adds leaves neither more nor less to be credited', () => {
  const more = held(noted('inv_9', prices(at20, '0.13'), 'corrective'));
  expect(credited(pair, [first, second], { inv_9: more }).at(-1)?.total).toBe('0.15');
});

test('where a rate that the invoice has not took something, the last part keeps its own rounding if only that fits', () => {
  const whole = prices(at20, '0.12', '0.12');
  const parts = [prices(vat('10'), '0.01'), prices(at20, '0.12'), prices(at20, '0.12')];
  const notes = credited(whole, parts);
  expect([totals(whole).total, notes.map(({ total }) => total)]).toEqual(['0.29', ['0.01', '0.14', '0.14']]);
  expect(notes.at(-1)).toEqual(totals(parts[2]!));
});

describe('rows of a breakdown', () => {
  /** As many rates, and at the last one two lines as above. */
  const rates = (count: number): LineTerms[] => Array.from({ length: count }, (_, n) => line('10', vat(String(n + 1))));
  const withPair = (count: number): LineTerms[] => [...rates(count - 1), ...prices(vat('90'), '0.13', '0.13')];
  const parts = (count: number): LineTerms[][] => {
    const all = withPair(count);
    return [all.slice(0, -1), all.slice(-1)];
  };

  test(`of up to ${MOST_ROWS} the last part takes what is left, of more each keeps its own rounding`, () => {
    const last = (count: number) => credited(withPair(count), parts(count)).at(-1)?.tax_total;
    const rest = credited(withPair(MOST_ROWS), parts(MOST_ROWS).toReversed()).at(-1);
    expect([rest?.tax_breakdown.length, rest?.tax_breakdown.at(-1)?.amount]).toEqual([MOST_ROWS, '0.11']);
    expect(totals(withPair(MOST_ROWS)).tax_breakdown).toHaveLength(MOST_ROWS);
    expect([last(MOST_ROWS), last(MOST_ROWS + 1)]).toEqual(['0.11', '0.12']);
  });

  test('an invoice of more is never the whole of a part', () => {
    const [, ...rest] = withPair(MOST_ROWS + 1);
    const own = credited(withPair(MOST_ROWS + 1), [[line('10', vat('1'))], rest.slice(0, -1), rest.slice(-1)]);
    expect(own.at(-1)?.tax_total).toBe('0.12');
  });

  test('a correction of more is not compared by its rows, nor is what comes after it', () => {
    const large = noted('inv_9', rates(MOST_ROWS + 1));
    expect(held(large).portion).toBeUndefined();
    expect(held(noted('inv_9', rates(MOST_ROWS))).portion).toBeDefined();
    const whole = [...pair, line('1000', vat('0'))];
    expect(credited(whole, [first, second], { inv_9: held(large) }).at(-1)?.total).toBe('0.16');
  });
});

describe('of a row of which something stays', () => {
  test('as much as is left is taken, and no more', () => {
    // 40 × 0.03 bear 0.24 of tax, of which each part takes a cent.
    const tiny = prices(at20, ...times(40, '0.03'));
    const parts = [...tiny.slice(0, 23).map((one) => [one]), prices(at20, '0.08'), prices(at20, '0.08')];
    expect(credited(tiny, parts).map(({ tax_total }) => tax_total)).toEqual([...times(23, '0.01'), '0.01', '0']);
  });

  test('so it is with a surcharge', () => {
    const surcharged = vat('21', { surcharge: '5.2' });
    const tiny = prices(surcharged, ...times(40, '0.10'));
    const surcharges = credited(
      tiny,
      tiny.map((one) => [one]),
    ).map(({ tax_breakdown: [row] }) => row?.surcharge?.amount);
    expect(surcharges).toEqual([...times(21, '0.01'), ...times(19, '0')]);
  });
});

test('a part that comes to what is left as rounded takes all of the tax', () => {
  const whole = prices(at20, '0.12', '0.124');
  const notes = credited(whole, [prices(at20, '0.12'), prices(at20, '0.12')]);
  expect(notes.map(({ tax_total, total }) => [tax_total, total])).toEqual([
    ['0.02', '0.14'],
    ['0.03', '0.15'],
  ]);
  expect(toText(sum(notes.map(({ total }) => decimal(total))))).toBe(totals(whole).total);
});

test('the answer to one submission is none to another of the same document', () => {
  const original = inState('submitted');
  const note = { id: 'inv_1', content: { ...original.content, type: 'credit_note' as const }, totals: original.totals };
  const reserved = decide({ type: 'reserve_correction', at, attempt: 2, note, isFull: false }, original).reduce<InvoiceState | null>(
    evolve,
    original,
  );
  const answer = (attempt: number) => refusalOf(reserved, { document: 'inv_1', attempt });
  expect([answer(1), answer(2), answer(3)]).toEqual([
    { corrects: [expect.stringContaining('another submission')] },
    undefined,
    { corrects: [expect.stringContaining('another submission')] },
  ]);
});
