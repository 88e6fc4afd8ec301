import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import { DomainError, FakeClock } from '@svc/kernel';
import { reviseInvoice } from '../invoice/write.ts';
import { dataFolder, openSystem } from '../testing/open-system.ts';
import { openShop } from '../testing/shop.ts';

const folder = dataFolder();
const system = openSystem(folder.path, new FakeClock(Date.UTC(2026, 5, 1, 12)));
afterAll(() => {
  system.engine.close();
  folder.remove();
});

/** A shop in the country, with one till. */
const shopIn = (country: string, patch: UpdateIssuer = {}) =>
  openShop(system, { country, units: [{ code: 'U1', devices: ['D1'] }], ...patch });
const item = (rate: number, tax: object = {}) => ({ description: 'Tea', unit_price: 10, taxes: [{ rate, ...tax }] });

/** The details of the error. */
const refusalOf = async (work: Promise<unknown>): Promise<Record<string, string[]>> => {
  const error = await work.then(
    () => new Error('accepted'),
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError && error.code === 'validation_error') return error.details ?? {};
  throw error;
};

test('a submission that the country refuses names field and rule and takes no number', async () => {
  const { call, draft, submit } = await shopIn('AL');
  const id = await draft({ currency: 'USD', items: [item(21), item(0, { code: 'E' })] });
  const details = await refusalOf(submit(id));
  expect(Object.keys(details).sort()).toEqual(['exchange_rate', 'items.0.taxes.0.rate', 'items.1.taxes.0.exemption_reason']);
  expect(details['exchange_rate']).toEqual([expect.stringContaining('al.exchange_rate')]);
  const mended = { currency: 'EUR', items: [item(20), item(0, { code: 'E', exemption_reason: 'neni 51' })] };
  await reviseInvoice(call(), { id, ifMatch: undefined, body: mended });
  expect((await submit(id)).number).toBe('1/2026');
});

test.each(['AL', 'ME'])('a format of its own is refused in %s, and the format of the country is taken again', async (country) => {
  const { set, draft, submit } = await shopIn(country, {
    series: { standard: { format: '{series}-{seq}' } },
  });
  const id = await draft({ items: [item(country === 'AL' ? 20 : 21)] });
  expect(Object.keys(await refusalOf(submit(id)))).toEqual(['series']);
  await set({ series: { standard: { format: '{seq}/{year}' } } });
  expect((await submit(id)).number).toBe('1/2026');
});

test('a receipt that the country refuses takes no number', async () => {
  const { receipt } = await shopIn('AL');
  expect(Object.keys(await refusalOf(receipt({ items: [item(21)], currency: 'USD' }))).sort()).toEqual([
    'currency',
    'items.0.taxes.0.rate',
  ]);
  expect((await receipt({ items: [item(20)] })).number).toBe('1/2026/D1');
});

test('where no rule of a country applies, a foreign currency and any rate are issued', async () => {
  const { draft, submit, receipt } = await shopIn('FR');
  expect((await submit(await draft({ currency: 'USD', items: [item(3)] }))).number).toBe('INV-2026-000001');
  expect((await receipt({ currency: 'USD' })).number).toBe('RCP-2026-000001');
});
