import { decimal, sum, toText } from '@svc/kernel';
import { seeded } from '@svc/kernel/testing/seeded';
import type { DocumentAdjustment, LineTerms, Tax, Totals } from '@svc/totals/terms';
import { totalsOf } from '@svc/totals/totals';
import { rowsOf } from '@svc/totals/portions';
import { balance } from './actions.ts';
import { leftOf } from './credits.ts';
import { refusalOf, reservedTotals } from './correct.ts';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import type { InvoiceContent, InvoiceState } from './state.ts';
import { at, inState } from './testing/samples.ts';

const vat = (rate: string, over: Partial<Tax> = {}): Tax => ({
  category: 'VAT',
  rate,
  code: rate === '0' ? 'Z' : 'S',
  retained: false,
  ...over,
});
const city: Tax = { category: 'CITY', rate: '2', code: 'S', retained: false };
const sets: Tax[][] = [
  [vat('20')],
  [vat('5.5')],
  [vat('10')],
  [vat('21', { surcharge: '5.2' })],
  [vat('0')],
  [vat('21'), { category: 'IRPF', rate: '15', code: 'S', retained: true }],
  [],
  [{ category: 'IRPF', rate: '15', code: 'S', retained: true }],
];
/** Where prices include tax, lines have at most one. */
const exclusiveSets: Tax[][] = [...sets, [vat('10'), city], [city]];
const line = (unit_price: string, quantity: string, taxes: Tax[], percent?: string): LineTerms => ({
  ...{ quantity, unit_price, taxes, charges: [] },
  discounts: percent === undefined ? [] : [{ percent }],
});
type Terms = Pick<InvoiceContent, 'items' | 'discounts' | 'charges' | 'currency' | 'rounding' | 'prices_include_tax'>;
const item = (of: LineTerms): InvoiceContent['items'][number] => ({ product_id: null, description: 'x', unit: 'C62', ...of });
const terms = (lines: LineTerms[], over: Partial<Terms> = {}): Terms => ({
  ...{ items: lines.map(item), discounts: [], charges: [], currency: 'EUR', rounding: 'line', prices_include_tax: false },
  ...over,
});
const decimalsOf = ({ currency }: Terms): number => ({ EUR: 2, JPY: 0, KWD: 3 })[currency] ?? 2;
const totals = (of: Terms): Totals => totalsOf({ ...of, decimals: decimalsOf(of) });

const invoiceOf = (of: Terms): InvoiceState => {
  const invoice = inState('submitted');
  return { ...invoice, content: { ...invoice.content, ...of }, totals: totals(of) };
};

/** Credits these parts one after the other. */
function credit(invoice: InvoiceState, parts: readonly Terms[], type: 'credit_note' | 'corrective' = 'credit_note') {
  const notes: Totals[] = [];
  let state = invoice;
  for (const [n, part] of parts.entries()) {
    const document = `inv_${n}`;
    const note = { id: document, content: { ...invoice.content, ...part, type }, totals: totals(part) };
    const reserved = decide({ type: 'reserve_correction', at, attempt: 1, note, isFull: false }, state);
    state = reserved.reduce<InvoiceState | null>(evolve, state)!;
    const refused = refusalOf(state, { document, attempt: 1 });
    if (refused) return { state, notes, refused };
    notes.push(reservedTotals(state, note));
    state = decide({ type: 'apply_correction', at, document, attempt: 1 }, state).reduce<InvoiceState | null>(evolve, state)!;
  }
  return { state, notes, refused: undefined };
}

const each = (prices: string[], ...taxes: Tax[]): LineTerms[] => prices.flatMap((price) => taxes.map((tax) => line(price, '1', [tax])));
const four = terms(each(['68.33', '57.50', '85.00', '68.33'], vat('20')));
const partsOf = (whole: Terms): Terms[] => whole.items.map((one) => ({ ...whole, items: [one] }));

describe('parts of an invoice', () => {
  test.each<[string, Terms, string]>([
    ['lines at one rate', four, '81.99'],
    ['two rates', terms(each(['0.33', '0.33', '0.33'], vat('20'), vat('10'))), '0.37'],
    ['prices that include tax', terms(each(['9.99', '9.99', '9.99'], vat('20')), { prices_include_tax: true }), '9.99'],
    ['a currency without decimals', terms(each(['333', '333', '333'], vat('10')), { currency: 'JPY' }), '367'],
    ['fractions of a cent', terms(each(['0.333', '0.333', '0.333'], vat('0')), { rounding: 'precise' }), '0.34'],
  ])('of %s, credited line by line, come to the whole', (_, whole, last) => {
    const { state, notes, refused } = credit(invoiceOf(whole), partsOf(whole));
    expect(refused).toBeUndefined();
    expect(balance(state)).toMatchObject({ due: '0', status: 'paid' });
    expect(notes.at(-1)?.total).toBe(last);
  });

  test('keep their own rounding as long as something is left', () => {
    const parts = partsOf(four).slice(0, 3);
    expect(credit(invoiceOf(four), parts).notes).toEqual(parts.map(totals));
  });

  test('that are more than the invoice are refused, by a cent too', () => {
    const parts = ['5', '5.01'].map((price) => terms([line(price, '1', [vat('20')])]));
    const { refused } = credit(invoiceOf(terms([line('10', '1', [vat('20')])])), parts);
    expect(refused).toEqual({ corrects: [expect.stringContaining('has 6 EUR left')] });
  });

  test('that are tiny take no more than is left, so that the last of them has something', () => {
    const tiny = terms(Array.from({ length: 40 }, () => line('0.03', '1', [vat('20')])));
    const { state, notes, refused } = credit(invoiceOf(tiny), partsOf(tiny));
    expect([refused, notes.length]).toEqual([undefined, 40]);
    expect(notes.map(({ tax_total }) => tax_total)).toEqual(notes.map((_, n) => (n < 24 ? '0.01' : '0')));
    expect(balance(state)).toMatchObject({ due: '0', status: 'paid' });
  });

  test('share a fixed discount by hand, to the cent', () => {
    const rates = [vat('19'), vat('7')];
    const whole = terms(each(['100.01', '50.02'], ...rates), { discounts: [{ amount: '10' }] });
    const { tax_breakdown } = totals(whole);
    const parts = rates.map(({ rate }) => {
      const base = tax_breakdown.find((row) => row.rate === rate)?.base ?? '0';
      const items = whole.items.filter(({ taxes }) => taxes[0]?.rate === rate);
      return { ...whole, items, discounts: [{ amount: toText(decimal('150.03').minus(base)) }] };
    });
    expect(balance(credit(invoiceOf(whole), parts).state)).toMatchObject({ due: '0', status: 'paid' });
  });

  test('state their prices with or without tax', () => {
    const whole = terms(each(['10.03', '10.03', '10.03'], vat('19')));
    const inclusive = terms([line('11.9357', '1', [vat('19')])], { prices_include_tax: true });
    const [first, second] = partsOf(whole) as [Terms, Terms];
    const { state, notes } = credit(invoiceOf(whole), [first, inclusive, second]);
    expect([notes.at(-1)?.total, balance(state).due]).toEqual(['11.93', '0']);
  });

  test('of which some have prices with tax are compared without it, also where each rounds by itself', () => {
    const whole = terms(each(['10.333', '10.333', '10.333'], vat('19')));
    const inclusive = terms([line('12.29627', '1', [vat('19')])], { prices_include_tax: true }); // 10.333 without tax
    const [, second, third] = partsOf(whole) as [Terms, Terms, Terms];
    const { state, notes } = credit(invoiceOf(whole), [inclusive, second, third]);
    expect([notes.map(({ subtotal }) => subtotal), balance(state).due]).toEqual([['10.34', '10.33', '10.32'], '0']);
  });

  test('take what lines without tax leave from those lines alone', () => {
    const whole = terms([line('0.335', '3', []), line('1', '1', [vat('20')])]);
    const parts = [...Array.from({ length: 3 }, () => terms([line('0.335', '1', [])])), terms([line('1', '1', [vat('20')])])];
    const { notes } = credit(invoiceOf(whole), parts);
    expect(notes.map(({ lines, subtotal, total }) => [lines[0]?.amount, subtotal, total])).toEqual([
      ['0.34', '0.34', '0.34'],
      ['0.34', '0.34', '0.34'],
      ['0.33', '0.33', '0.33'],
      ['1', '1', '1.2'],
    ]);
  });

  test('whose rows round to those of the invoice take what is left of its total, where sums are rounded by themselves', () => {
    const at = (price: string): Terms => terms(each([price], vat('20'), vat('10')), { rounding: 'precise' });
    const { notes, refused } = credit(invoiceOf(at('0.335')), [at('0.338')]);
    expect([refused, totals(at('0.338')).subtotal, notes[0]?.subtotal]).toEqual([undefined, '0.68', '0.67']);
  });

  test('are recorded in few digits, whatever shares have no end', () => {
    const at = (price: string): Terms => terms(each([price, '7.77'], vat('19'), vat('7')), { discounts: [{ amount: '0.01' }] });
    const parts = Array.from({ length: 30 }, (_, n) => at(`0.${100_003 + 2 * n}`));
    const { state } = credit(invoiceOf(at('10000')), parts);
    const portions = Object.values((state as Extract<InvoiceState, { status: 'submitted' }>).corrections ?? {}).map(
      ({ portion }) => portion,
    );
    expect(portions).toHaveLength(30);
    for (const portion of portions) for (const exact of Object.values(portion?.exact ?? {})) expect(exact.length).toBeLessThanOrEqual(24);
  });

  test('that correctives take come to the whole, too', () => {
    const parts = partsOf({ ...four, items: four.items.map((one) => ({ ...one, quantity: '-1' })) });
    const { state, notes, refused } = credit(invoiceOf(four), parts, 'corrective');
    expect(refused).toBeUndefined();
    expect(toText(leftOf(state as never, ''))).toBe('0');
    expect(notes.at(-1)?.total).toBe('-81.99');
  });

  test('come to the whole, row by row, however it is divided, in every mode (600 seeds)', () => {
    let [adjusted, refusals] = [0, 0];
    for (let seed = 1; seed <= 600; seed += 1) {
      const random = seeded(seed);
      const below = (n: number): number => Math.floor(random() * n);
      const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
      const currency = oneOf(['EUR', 'EUR', 'JPY', 'KWD'] as const);
      const adjustment = (): DocumentAdjustment[] => (random() < 0.3 ? [{ percent: String(1 + below(40)) }] : []);
      const over = {
        ...{ currency, rounding: oneOf(['line', 'precise'] as const), prices_include_tax: random() < 0.4 },
        ...{ discounts: adjustment(), charges: adjustment() },
      };
      const least = oneOf([0, 10, 10]);
      const price = (): string => `${least + below(90)}${currency === 'JPY' ? '' : `.${String(below(1000)).padStart(3, '0')}`}`;
      const percents = [undefined, undefined, '7', '33.3'] as const;
      const lines = Array.from({ length: 1 + below(6) }, () =>
        line(price(), String(1 + below(4)), oneOf(over.prices_include_tax ? sets : exclusiveSets), oneOf(percents)),
      );
      const whole = terms(lines, over);
      // Every unit is a part of its own, in any order, some of them together.
      const units = lines.flatMap((one) => Array.from({ length: Number(one.quantity) }, () => ({ ...one, quantity: '1' })));
      units.sort(() => random() - 0.5);
      const parts: Terms[] = [];
      while (units.length > 0) parts.push({ ...whole, items: units.splice(0, 1 + below(3)).map(item) });
      const { state, notes, refused } = credit(invoiceOf(whole), parts);
      if (refused) {
        // Tiny parts are rounded up one by one, until nothing is left: then the whole is credited.
        expect([seed, refused['corrects']]).toEqual([seed, [expect.stringMatching(/^has 0 /)]]);
        refusals += 1;
        continue;
      }
      const all = totals(whole);
      expect([seed, toText(leftOf(state as never, ''))]).toEqual([seed, '0']);
      for (const field of ['total', 'subtotal', 'tax_total', 'retained_total'] as const)
        expect([seed, field, toText(sum(notes.map((note) => decimal(note[field]))))]).toEqual([seed, field, all[field]]);
      for (const [key, row] of Object.entries(rowsOf(all)))
        for (const field of ['base', 'amount', 'surcharge'] as const) {
          const together = toText(sum(notes.map((note) => decimal(rowsOf(note)[key]?.[field] ?? '0'))));
          expect([seed, key, field, together]).toEqual([seed, key, field, row[field] ?? '0']);
        }
      for (const [n, note] of notes.entries()) {
        const own = totals(parts[n] as Terms);
        if (JSON.stringify(own) !== JSON.stringify(note)) adjusted += 1;
        expect(toText(decimal(note.subtotal).plus(note.tax_total))).toBe(note.total);
        const shown = ({ charge_total, discount_total }: Totals): string[] => [charge_total, discount_total];
        if (over.prices_include_tax) expect([seed, n, shown(note)]).toEqual([seed, n, shown(own)]);
        if (over.rounding === 'precise' || (over.prices_include_tax && over.discounts.length + over.charges.length > 0)) continue;
        if (lines.some(({ taxes }) => taxes[0] === city)) continue;
        const ofLines = sum(note.lines.map(({ amount }) => decimal(amount)));
        const together = ofLines.plus(note.charge_total).minus(note.discount_total);
        expect([seed, n, toText(together)]).toEqual([seed, n, note.subtotal]);
      }
    }
    expect(adjusted).toBeGreaterThan(300);
    expect(refusals).toBeLessThan(10);
  });
});
