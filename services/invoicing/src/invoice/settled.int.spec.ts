import { decimal, sum, toText } from '@svc/kernel';
import { dataFolder, openSystem, systemOn } from '../testing/open-system.ts';
import { invoices } from './invoices.ts';
import { previewInvoice } from './preview.ts';
import { correcting } from './testing/correcting.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
afterAll(() => {
  system.engine.close();
  folder.remove();
});
const { fixture } = correcting(system);

const line = (unit_price: string, tax_rate = 20) => ({ description: 'x', unit_price, tax_rate });
const three = [1, 2, 3].map(() => line('10.03', 19));
const one = { items: [line('10.03', 19)] };

type Fixture = Awaited<ReturnType<typeof fixture>>;
const noteOn = (s: Fixture, over: object = one) => s.draft({ type: 'credit_note', corrects: s.original, ...over });
const paid = { amount_due: 0, payment_status: 'paid' };
/** The totals that the invoices have, and what they come to. */
async function totalsOf(s: Fixture, ids: readonly string[]): Promise<[number[], string]> {
  const totals = (await Promise.all(ids.map(s.read))).map(({ total }) => total);
  return [totals.sort((a, b) => a - b), toText(sum(totals.map((total) => decimal(String(total)))))];
}

test('a preview says what the note would come to', async () => {
  const s = await fixture({ items: three });
  for (const _ of [1, 2]) await s.issued(await noteOn(s));
  const body = { type: 'credit_note' as const, corrects: s.original, customer_id: s.customer.id, ...one };
  expect(await previewInvoice(s.call(), body)).toMatchObject({ subtotal: 10.03, tax_total: 1.9, total: 11.93 });
});

test('of notes that are submitted at the same moment by two replicas, one takes the rest', async () => {
  const s = await fixture({ items: three });
  const notes = [await noteOn(s), await noteOn(s), await noteOn(s)];
  const other = systemOn(system).context;
  await Promise.all(notes.map((id, n) => s.submit(id, n === 0 ? undefined : other)));
  expect(await totalsOf(s, notes)).toEqual([[11.93, 11.94, 11.94], '35.81']);
  for (const id of notes) {
    await s.register(id);
    expect(await s.read(id)).toMatchObject({ status: 'submitted', number: expect.stringMatching(/^CN-/) });
  }
  expect(await s.read(s.original)).toMatchObject(paid);
});

test('the history says that the totals of a draft changed at its submission, and nothing else of what was written', async () => {
  const s = await fixture({ items: three });
  const notes = [await noteOn(s), await noteOn(s), await noteOn(s)];
  for (const id of notes) await s.issued(id);
  const history = await invoices.history(s.call(), notes[2] as string);
  const entries = await Array.fromAsync(history.entries({ from: 0, to: history.total }, async () => undefined));
  expect(entries[1]).toMatchObject({ type: 'updated', changes: { tax_total: 1.9, total: 11.93 } });
});
