import { DomainError, FakeClock } from '@svc/kernel';
import type { DocumentContext } from '../document/context.ts';
import { outcomeEvent, registration } from '../document/testing/outcomes.ts';
import { invoices } from '../invoice/invoices.ts';
import { invoiceProcess } from '../invoice/process.ts';
import { reviseInvoice, submitInvoice } from '../invoice/write.ts';
import { receiptProcess } from '../receipt/process.ts';
import { createReceipt } from '../receipt/write.ts';
import { dataFolder, openSystem, systemOn } from '../testing/open-system.ts';
import { openShop } from '../testing/shop.ts';

const folder = dataFolder();
afterAll(() => folder.remove());

/** When these days begin in Tirana and in Podgorica. */
const [JUNE_15, NEW_YEAR] = ['2026-06-14T22:00:00Z', '2026-12-31T23:00:00Z'];
let systems = 0;

const fieldsOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof DomainError ? Object.keys(error.details ?? {}) : error),
  );

/** A shop of the authority. The clock stands one millisecond before the day begins, and reaches it where a number is taken on `late`. */
async function shopBefore(day: string, authority: 'al-cis' | 'me-efi' | 'sandbox') {
  const clock = new FakeClock(Date.parse(day) - 1);
  const system = openSystem(`${folder.path}/${(systems += 1)}`, clock);
  const shop = await openShop(system, { authority, time_zone: 'Europe/Tirane' });
  const taking = (on: DocumentContext, before: () => Promise<void>): DocumentContext => {
    const take: DocumentContext['sequence']['take'] = async (claim) => {
      await before();
      return on.sequence.take(claim);
    };
    return { ...on, sequence: { head: on.sequence.head, take } };
  };
  const late = taking(system.context, () => clock.advance(Math.max(0, Date.parse(day) + 1 - clock.now())));
  const gone = taking(system.context, () => Promise.reject(new Error('the process is gone')));
  const on = (context: DocumentContext) => ({ ...shop.call(), context });
  const ref = (id: string) => ({ account: shop.account, env: 'test' as const, id });
  const processOf = (id: string) => (id.startsWith('inv') ? invoiceProcess : (receiptProcess as unknown as typeof invoiceProcess));
  const named = (id: string) => ({ id, ifMatch: undefined });
  return {
    ...{ ...shop, clock, system, late, gone, taking },
    submit: (id: string, context = system.context) => submitInvoice(on(context), { ...named(id), lateReason: null }),
    sell: (context: DocumentContext) =>
      createReceipt(on(context), { items: [{ description: 'Tea', unit_price: 10 }], payment_method: 'cash' }),
    revise: (id: string, body: object) => reviseInvoice(on(system.context), { ...named(id), body }),
    voided: (id: string, context = system.context) => processOf(id).void(on(context), { ...named(id), reason: 'Wrong customer' }),
    finish: (id: string, context = system.context) => processOf(id).finish(context, ref(id)),
    status: async (id: string) => (await invoices.read(on(system.context), id)).status,
    async register(id: string): Promise<void> {
      const event = outcomeEvent({ id: system.ids.next(), account: shop.account, subject: id }, 'document-registered', registration);
      await processOf(id).applyOutcome(system.context, event);
    },
    [Symbol.dispose]: () => system.engine.close(),
  };
}

describe.each(['al-cis', 'me-efi'] as const)('%s registers a document as of the day of its number', (authority) => {
  const number = (seq: number, year = 2026) =>
    authority === 'al-cis' ? `${seq}/${year}` : expect.stringMatching(new RegExp(`/${seq}/${year}/`));

  test('an invoice with the issue date of the day on which it was submitted takes no number after midnight', async () => {
    using shop = await shopBefore(JUNE_15, authority);
    const id = await shop.draft({ issue_date: '2026-06-14' });
    expect(await fieldsOf(shop.submit(id, shop.late))).toEqual(['issue_date']);
    expect(await shop.status(id)).toBe('draft');
    await shop.revise(id, { issue_date: null });
    expect(await shop.submit(id)).toMatchObject({ number: number(1), issue_date: '2026-06-15' });
  });

  test('before midnight it takes it, and without a date it is of the day on which it takes it', async () => {
    using shop = await shopBefore(JUNE_15, authority);
    expect(await shop.invoice({ issue_date: '2026-06-14' })).toMatchObject({ number: number(1), issue_date: '2026-06-14' });
    expect(await shop.submit(await shop.draft(), shop.late)).toMatchObject({ number: number(2), issue_date: '2026-06-15' });
  });

  test.each(['credit_note', 'corrective'] as const)('a %s takes none either, and leaves the original as it was', async (type) => {
    using shop = await shopBefore(JUNE_15, authority);
    const { id: corrects } = await shop.invoice();
    await shop.register(corrects);
    const id = await shop.draft({ type, corrects, issue_date: '2026-06-14' });
    expect(await fieldsOf(shop.submit(id, shop.late))).toEqual(['issue_date']);
    await shop.revise(id, { issue_date: null });
    expect(await shop.submit(id)).toMatchObject({ number: number(2), issue_date: '2026-06-15' });
  });

  test('nor does what a process that died left, however late it is finished', async () => {
    using shop = await shopBefore(JUNE_15, authority);
    const id = await shop.draft({ issue_date: '2026-06-14' });
    await expect(shop.submit(id, shop.gone)).rejects.toThrow('the process is gone');
    await shop.clock.advance(3_600_000);
    await shop.finish(id);
    expect(await shop.status(id)).toBe('draft');
    expect(await shop.invoice()).toMatchObject({ number: number(1) });
  });

  test('nor one that is due on the day that is over', async () => {
    using shop = await shopBefore(JUNE_15, authority);
    const id = await shop.draft({ due_date: '2026-06-14' });
    expect(await fieldsOf(shop.submit(id, shop.late))).toEqual(['due_date']);
    expect(await shop.invoice()).toMatchObject({ number: number(1), issue_date: '2026-06-15' });
  });

  test('a request of the old year takes no number of it in the new one, as an invoice or a receipt; asked for again it has the first of the new year', async () => {
    using shop = await shopBefore(NEW_YEAR, authority);
    const id = await shop.draft();
    await expect(shop.submit(id, shop.gone)).rejects.toThrow('the process is gone');
    expect(await fieldsOf(shop.sell(shop.late))).toEqual(['issue_date']);
    await shop.finish(id);
    expect(await shop.status(id)).toBe('draft');
    expect(await shop.submit(id)).toMatchObject({ number: number(1, 2027), issue_date: '2027-01-01' });
    const receipt = await shop.receipt();
    expect(receipt.number).toMatch(authority === 'al-cis' ? /^1\/2027\// : /\/2\/2027\//);
  });

  test('a void of the old year whose corrective would have its number in the new one is refused, and may be asked for again', async () => {
    using shop = await shopBefore(NEW_YEAR, authority);
    const sold = [(await shop.invoice()).id, (await shop.receipt()).id];
    for (const id of sold) await shop.register(id);
    const asked = await Promise.all(sold.map((id) => shop.voided(id, shop.gone)));
    await shop.clock.advance(2);
    for (const [n, id] of sold.entries()) {
      await shop.finish(id);
      const corrective = String(asked[n]?.void?.document_id);
      await shop.finish(corrective);
      const again = await shop.voided(id);
      expect(again).toMatchObject({ status: 'voiding', void: { document_id: expect.not.stringContaining(corrective) } });
    }
  });

  test('every actor comes to the refusal that one has stored, also one whose clock is behind', async () => {
    using shop = await shopBefore(JUNE_15, authority);
    const { system, clock } = shop;
    const behind = systemOn(system, new FakeClock(clock.now() - 1_000)).context;
    const id = await shop.draft({ issue_date: '2026-06-14' });
    const [arrived, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const stalled = shop.taking(behind, async () => {
      arrived.resolve();
      await opened.promise;
    });
    const submitting = fieldsOf(shop.submit(id, stalled));
    await arrived.promise;
    await clock.advance(2);
    await shop.finish(id);
    expect(await shop.status(id)).toBe('draft');
    opened.resolve();
    expect(await submitting).toEqual(['issue_date']);
    expect(await shop.status(id)).toBe('draft');
    expect(await shop.invoice()).toMatchObject({ number: number(1) });
  });
});

test('another authority is sent the issue date by itself, so the number is taken after midnight, too', async () => {
  using shop = await shopBefore(JUNE_15, 'sandbox');
  const id = await shop.draft({ issue_date: '2026-06-14' });
  expect(await shop.submit(id, shop.late)).toMatchObject({ number: expect.stringMatching(/0001$/), issue_date: '2026-06-14' });
});
