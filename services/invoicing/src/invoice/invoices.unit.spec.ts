import { bounded } from '../document/bounded.ts';
import { at, commands, inState } from './domain/testing/samples.ts';
import type { InvoiceState } from './domain/state.ts';
import { invoices } from './invoices.ts';

/** Of more bytes than any document that is written may have. */
function oversized(state: InvoiceState): InvoiceState {
  const items = Array.from({ length: 500 }, () => ({ ...state.content.items[0]!, description: 'x'.repeat(2_000) }));
  return { ...state, content: { ...state.content, items } };
}

test('totals are settled however large the document is: its submission was accepted before', () => {
  const { decide } = bounded(invoices.definition);
  const asking = oversized(inState('being numbered'));
  const totals = { ...asking.totals, total: '0.01' };
  const draft = oversized(inState('draft'));
  expect(() => decide({ ...commands['PATCH notes'], body: { notes: 'n'.repeat(100) } } as never, draft)).toThrow(/notes/);
  expect(decide({ type: 'settle_totals', at, attempt: 1, totals }, asking)).toMatchObject([{ type: 'InvoiceRevised', data: { totals } }]);
});
