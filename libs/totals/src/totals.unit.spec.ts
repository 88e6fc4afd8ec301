import type { Adjustment, DocumentAdjustment, LineTerms, Tax, TaxRow, Terms, Totals } from './terms.ts';
import { line, onDocument, vat } from './testing/terms.ts';
import { totalsOf } from './totals.ts';

const irpf: Tax = { category: 'IRPF', code: 'S', rate: '15', retained: true };
const doc = (items: LineTerms[], over: Partial<Terms> = {}): Terms => ({ ...onDocument, decimals: 2, items, ...over });
const off = (amount: string, taxes?: Tax[]): DocumentAdjustment => ({ amount, ...(taxes && { taxes }) });
const percent = (value: string): Adjustment => ({ percent: value });
const inclusive = { prices_include_tax: true };
const precise = { rounding: 'precise' as const };

type Row = [rate: string, base: string, amount: string, over?: Partial<TaxRow>];
interface Expected extends Partial<Omit<Totals, 'lines' | 'tax_breakdown'>> {
  amounts?: string[];
  rows?: Row[];
}

const cases: [what: string, terms: Terms, expected: Expected][] = [
  [
    'one line',
    doc([line('100')]),
    {
      subtotal: '100',
      discount_total: '0',
      charge_total: '0',
      tax_total: '20',
      retained_total: '0',
      total: '120',
      amounts: ['100'],
      rows: [['20', '100', '20']],
    },
  ],
  [
    'a row per rate, in order of appearance',
    doc([line('10', { taxes: [vat('21')] }), line('20', { taxes: [vat('10')] }), line('30', { taxes: [vat('21')] })]),
    {
      total: '70.4',
      rows: [
        ['21', '40', '8.4'],
        ['10', '20', '2'],
      ],
    },
  ],
  ['tax is rounded per row, not per line', doc([line('0.33'), line('0.33'), line('0.33')]), { tax_total: '0.2', total: '1.19' }],
  ['half away from zero, not to even: 0.025 of tax', doc([line('0.25', { taxes: [vat('10')] })]), { tax_total: '0.03' }],
  ['no binary fraction: 1.005 of tax', doc([line('10.05', { taxes: [vat('10')] })]), { tax_total: '1.01', total: '11.06' }],
  ['line: three of 1.005', doc([line('1.005'), line('1.005'), line('1.005')]), { subtotal: '3.03', amounts: ['1.01', '1.01', '1.01'] }],
  [
    'precise: three of 1.005',
    doc([line('1.005'), line('1.005'), line('1.005')], precise),
    { subtotal: '3.02', tax_total: '0.6', total: '3.62', amounts: ['1.01', '1.01', '1.01'] },
  ],
  ['line: ten of 0.004 are nothing', doc(Array.from({ length: 10 }, () => line('0.004'))), { total: '0' }],
  [
    'precise: ten of 0.004 are four cents',
    doc(
      Array.from({ length: 10 }, () => line('0.004')),
      precise,
    ),
    { subtotal: '0.04', total: '0.05' },
  ],
  [
    'negative quantity, half away from zero',
    doc([line('100'), line('0.05', { quantity: '-0.5' })]),
    { subtotal: '99.97', amounts: ['100', '-0.03'] },
  ],
  [
    'line discounts and charges: each of gross, each rounded by itself',
    doc([line('1', { discounts: [percent('12.5'), percent('12.5')], charges: [{ amount: '0.1' }] })]),
    { subtotal: '0.84', discount_total: '0', amounts: ['0.84'] },
  ],
  [
    'precise: line discounts are not rounded',
    doc([line('1', { discounts: [percent('12.5'), percent('12.5')] })], precise),
    { subtotal: '0.75' },
  ],
  [
    'a document percentage is of the sum of nets',
    doc([line('100', { discounts: [percent('50')] }), line('50')], { discounts: [percent('10')] }),
    { subtotal: '90', discount_total: '10', total: '108', amounts: ['50', '50'] },
  ],
  [
    'largest remainder: 0.10 over 1 : 2 : 4',
    doc([line('1', { taxes: [vat('5')] }), line('2', { taxes: [vat('10')] }), line('4')], { discounts: [off('0.1')] }),
    {
      rows: [
        ['5', '0.99', '0.05'],
        ['10', '1.97', '0.2'],
        ['20', '3.94', '0.79'],
      ],
      total: '7.94',
    },
  ],
  [
    'largest remainder: a tie goes to the set that appears first',
    doc([line('1', { taxes: [vat('5')] }), line('1')], { discounts: [off('0.01')] }),
    {
      rows: [
        ['5', '0.99', '0.05'],
        ['20', '1', '0.2'],
      ],
    },
  ],
  [
    'each document discount is shared by itself, by net before any of them',
    doc([line('10', { taxes: [vat('10')] }), line('20')], { discounts: [off('1'), off('1')] }),
    {
      rows: [
        ['10', '9.34', '0.93'],
        ['20', '18.66', '3.73'],
      ],
    },
  ],
  [
    'with taxes it goes to that set, and may open one',
    doc([line('10')], { discounts: [off('1', [vat('20')])], charges: [off('5', [vat('10')])] }),
    {
      subtotal: '14',
      charge_total: '5',
      rows: [
        ['20', '9', '1.8'],
        ['10', '5', '0.5'],
      ],
    },
  ],
  [
    'precise: a document amount is shared unrounded',
    doc([line('1', { taxes: [vat('10')] }), line('2')], { discounts: [off('0.1')], ...precise }),
    {
      subtotal: '2.9',
      rows: [
        ['10', '0.97', '0.1'],
        ['20', '1.93', '0.39'],
      ],
    },
  ],
  [
    'lines that come to nothing: a document charge goes to the first set',
    doc([line('0'), line('0', { taxes: [] })], { charges: [off('5')] }),
    { rows: [['20', '5', '1']], total: '6' },
  ],
  [
    'precise: the same',
    doc([line('0'), line('0', { taxes: [] })], { charges: [off('5')], ...precise }),
    { rows: [['20', '5', '1']], total: '6' },
  ],
  ['not subject to tax: no row', doc([line('10', { taxes: [] }), line('10')]), { subtotal: '20', total: '22', rows: [['20', '10', '2']] }],
  [
    'inclusive: 9.99 stays 9.99',
    doc([line('9.99', { taxes: [vat('21')] })], inclusive),
    { subtotal: '8.26', tax_total: '1.73', total: '9.99', amounts: ['8.26'] },
  ],
  [
    'inclusive: amounts add up to the base, by largest remainder',
    doc([line('0.99'), line('0.99'), line('0.99')], inclusive),
    { subtotal: '2.47', tax_total: '0.5', total: '2.97', amounts: ['0.83', '0.82', '0.82'] },
  ],
  [
    'inclusive: goods that come back do not distort the amounts of what is sold',
    doc([line('50'), line('49.99', { quantity: '-1' })], inclusive),
    { subtotal: '0.01', tax_total: '0', amounts: ['41.67', '-41.66'] },
  ],
  [
    'inclusive: an exchange for goods of the same price',
    doc([line('50'), line('50', { quantity: '-1' })], inclusive),
    { subtotal: '0', tax_total: '0', amounts: ['41.67', '-41.67'] },
  ],
  [
    'inclusive: a retained tax is of the exclusive base of its own lines, whatever comes back',
    doc([line('60'), line('59.98', { quantity: '-1', taxes: [vat('20'), irpf] })], inclusive),
    { subtotal: '0.02', retained_total: '-7.5', amounts: ['50', '-49.98'] },
  ],
  [
    'inclusive, precise: rounded once per row',
    doc([line('0.333'), line('0.333'), line('0.333')], { ...inclusive, ...precise }),
    { subtotal: '0.83', tax_total: '0.17', total: '1' },
  ],
  [
    'inclusive: line amounts stand before document discounts',
    doc([line('121', { taxes: [vat('21')] }), line('110', { taxes: [vat('10')] })], { ...inclusive, discounts: [off('11', [vat('10')])] }),
    {
      total: '220',
      amounts: ['100', '100'],
      rows: [
        ['21', '100', '21'],
        ['10', '90', '9'],
      ],
    },
  ],
  [
    'a retained tax lowers neither total nor subtotal; subtotal counts a line once',
    doc([line('1000', { taxes: [vat('21'), irpf] })]),
    {
      subtotal: '1000',
      tax_total: '210',
      retained_total: '150',
      total: '1210',
      rows: [
        ['21', '1000', '210'],
        ['15', '1000', '150', { category: 'IRPF', retained: true }],
      ],
    },
  ],
  [
    'inclusive: a retained tax is of the exclusive base, over several rates',
    doc(
      [line('121', { taxes: [vat('21'), irpf] }), line('110', { taxes: [vat('10'), irpf] }), line('121', { taxes: [vat('21')] })],
      inclusive,
    ),
    {
      subtotal: '300',
      total: '352',
      retained_total: '30',
      rows: [
        ['21', '200', '42'],
        ['15', '200', '30', { category: 'IRPF', retained: true }],
        ['10', '100', '10'],
      ],
    },
  ],
  [
    'inclusive: sales tax is in the price',
    doc([line('1620', { taxes: [vat('8.5', { category: 'ST' })] })], inclusive),
    { subtotal: '1493.09', tax_total: '126.91', total: '1620', rows: [['8.5', '1493.09', '126.91', { category: 'ST' }]] },
  ],
  [
    'inclusive: a retained tax is of the amount without IGIC',
    doc([line('107', { taxes: [vat('7', { category: 'IGIC' }), irpf] })], inclusive),
    {
      subtotal: '100',
      tax_total: '7',
      total: '107',
      retained_total: '15',
      amounts: ['100'],
      rows: [
        ['7', '100', '7', { category: 'IGIC' }],
        ['15', '100', '15', { category: 'IRPF', retained: true }],
      ],
    },
  ],
  [
    'a surcharge is tax, rounded by itself, in a row of its own',
    doc([line('10.05', { taxes: [vat('10', { surcharge: '1.4' })] }), line('1', { taxes: [vat('10')] })]),
    {
      tax_total: '1.25',
      total: '12.3',
      rows: [
        ['10', '10.05', '1.01', { surcharge: { rate: '1.4', amount: '0.14' } }],
        ['10', '1', '0.1'],
      ],
    },
  ],
  [
    'a surcharge comes on top of an inclusive price',
    doc([line('121', { taxes: [vat('21', { surcharge: '5.2' })] })], inclusive),
    { subtotal: '100', tax_total: '26.2', total: '126.2' },
  ],
  [
    'no decimals (JPY)',
    doc([line('105.5', { taxes: [vat('10')] })], { decimals: 0 }),
    { subtotal: '106', tax_total: '11', total: '117', amounts: ['106'] },
  ],
  [
    'no decimals: a discount of 1 over 100 and 200',
    doc([line('100', { taxes: [vat('8')] }), line('200', { taxes: [vat('10')] })], { decimals: 0, discounts: [off('1')] }),
    {
      total: '327',
      rows: [
        ['8', '100', '8'],
        ['10', '199', '20'],
      ],
    },
  ],
  [
    'three decimals (KWD)',
    doc([line('1.2345', { taxes: [vat('5')] })], { decimals: 3 }),
    { subtotal: '1.235', tax_total: '0.062', total: '1.297' },
  ],
  [
    'digits that a float would bend',
    doc([line('400000000000.07', { taxes: [] }), line('400000000000.06', { taxes: [] })]),
    { total: '800000000000.13' },
  ],
  ['nothing is never -0', doc([line('0', { quantity: '-1' })]), { subtotal: '0', tax_total: '0', total: '0', amounts: ['0'] }],
];

test.each(cases)('%s', (_what, terms, { amounts, rows, ...expected }) => {
  const totals = totalsOf(terms);
  expect(totals).toMatchObject(expected);
  if (amounts) expect(totals.lines.map(({ amount }) => amount)).toEqual(amounts);
  if (rows) {
    expect(totals.tax_breakdown).toEqual(
      rows.map(([rate, base, amount, over]) => ({ category: 'VAT', code: 'S', retained: false, rate, base, amount, ...over })),
    );
  }
});

test('a line shows its own discounts and charges', () => {
  const { lines } = totalsOf(
    doc([line('100', { quantity: '2', discounts: [{ amount: '10.5' }, percent('1')], charges: [{ amount: '3.25' }] })]),
  );
  expect(lines).toEqual([{ amount: '190.75', discount_amount: '12.5', charge_amount: '3.25' }]);
});
