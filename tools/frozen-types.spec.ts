import { compared } from './frozen-types.mjs';

test('reports a declared type that the folder lacks, and a type of the folder that is not declared', () => {
  const declared = { invoice: { InvoiceDrafted: 1, InvoiceNumbered: 2 }, series: { NumberTaken: 1 } };
  expect(compared(new Set(['invoice InvoiceDrafted v1', 'invoice InvoiceNumbered v1', 'series SeriesClosed v1']), declared, {})).toEqual({
    missing: ['invoice InvoiceNumbered v2', 'series NumberTaken v1'],
    older: [],
    undeclared: ['series SeriesClosed v1'],
  });
  expect(compared(new Set(['invoice InvoiceNumbered v2']), declared, {}).older).toEqual(['invoice InvoiceNumbered v1']);
  const all = ['invoice InvoiceDrafted v1', 'invoice InvoiceNumbered v1', 'invoice InvoiceNumbered v2', 'series NumberTaken v1'];
  expect(compared(new Set(all), declared, {})).toEqual({ missing: [], older: [], undeclared: [] });
  const floor = { 'invoice InvoiceNumbered': 2 };
  expect(compared(new Set(all), declared, floor)).toEqual({ missing: [], older: [], undeclared: ['invoice InvoiceNumbered v1'] });
});
