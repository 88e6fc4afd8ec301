import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import { DomainError, FakeClock } from '@svc/kernel';
import { dataFolder, openSystem } from '../testing/open-system.ts';
import { openShop } from '../testing/shop.ts';

const folder = dataFolder();
const system = openSystem(folder.path, new FakeClock(Date.UTC(2026, 5, 1, 12)));
afterAll(() => {
  system.engine.close();
  folder.remove();
});

const units = [
  { code: 'NORTH', devices: ['N1', 'N2'] },
  { code: 'SOUTH', devices: ['S1'] },
];
const refused = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof DomainError ? Object.keys(error.details ?? {}) : error),
  );

test.each([
  ['{series}-{year}-{seq:6}', 'INV-2026-000001'],
  ['{seq}/{year}', '1/2026'],
  ['{series}/{seq:3}', 'INV/001'],
  ['{unit}.{device}-{seq}', 'NORTH.N1-1'],
  ['F_{year}_{unit}_{seq:9}', 'F_2026_NORTH_000000001'],
])('invoices of the format %s begin with %s: unit and till are the first of the issuer', async (format, number) => {
  const shop = await openShop(system, { units, series: { standard: { format } } });
  expect((await shop.invoice()).number).toBe(number);
});

test('each unit and each till counts by itself where the format names them', async () => {
  const shop = await openShop(system, { units, series: { receipt: { format: '{seq}/{year}/{device}' } } });
  const at = async (unit: string, device: string) => (await shop.receipt({ unit, device })).number;
  expect([await at('NORTH', 'N1'), await at('NORTH', 'N2'), await at('SOUTH', 'S1'), await at('NORTH', 'N1')]).toEqual([
    '1/2026/N1',
    '1/2026/N2',
    '1/2026/S1',
    '2/2026/N1',
  ]);
});

test('a till that is added later begins its own count', async () => {
  const shop = await openShop(system, { units, series: { receipt: { format: '{device}-{seq}' } } });
  await shop.receipt();
  await shop.set({ units: [{ code: 'NORTH', devices: ['N1', 'N3'] }] });
  expect((await shop.receipt({ device: 'N3' })).number).toBe('N3-1');
  expect((await shop.receipt()).number).toBe('N1-2');
  expect(await refused(shop.receipt({ unit: 'SOUTH' }))).toEqual(['unit']);
});

test('kinds with one code share its numbers', async () => {
  const one = { code: 'SHOP', format: '{series}-{seq}', start: 5 };
  const shop = await openShop(system, { series: { standard: one, receipt: one } });
  expect([(await shop.invoice()).number, (await shop.receipt()).number, (await shop.invoice()).number]).toEqual([
    'SHOP-5',
    'SHOP-6',
    'SHOP-7',
  ]);
});

test('a series that only a document names has the format of its kind and its own count', async () => {
  const shop = await openShop(system);
  expect((await shop.invoice({ series: 'WEB' })).number).toBe('WEB-2026-000001');
  expect((await shop.invoice()).number).toBe('INV-2026-000001');
});

test('`start` can be set until the first number is taken, also by a receipt or at a single till', async () => {
  const shop = await openShop(system, { units, series: { standard: { start: 41 }, receipt: { format: '{device}-{seq}', start: 7 } } });
  await shop.set({ series: { standard: { start: 42 }, receipt: { start: 8 } } });
  expect([(await shop.invoice()).number, (await shop.receipt({ unit: 'SOUTH' })).number]).toEqual(['INV-2026-000042', 'S1-8']);
  const start = (of: UpdateIssuer['series']) => refused(shop.set({ series: of }));
  expect(await start({ standard: { start: 1 } })).toEqual(['series.standard.start']);
  expect(await start({ receipt: { start: 1 } })).toEqual(['series.receipt.start']);
  expect(await start({ standard: { start: 42 }, credit_note: { start: 3 } })).toBe('accepted');
});

test('a number that two settings could write is given once, and the refusal names the series and takes none', async () => {
  const shop = await openShop(system, { series: { standard: { code: 'OLD', format: 'A-{seq}' } } });
  expect((await shop.invoice()).number).toBe('A-1');
  await shop.set({ series: { standard: { code: 'NEW' } } });
  expect(await refused(shop.invoice())).toEqual(['series']);
  await shop.set({ series: { standard: { code: 'OLD' } } });
  expect((await shop.invoice()).number).toBe('A-2');
});

test('accounts do not share numbers', async () => {
  const [one, other] = [await openShop(system), await openShop(system)];
  expect([(await one.invoice()).number, (await other.invoice()).number]).toEqual(['INV-2026-000001', 'INV-2026-000001']);
});

test('a number longer than the interface shows is refused before it is taken', async () => {
  const long = 'U'.repeat(40);
  const format = '{unit}{unit}{unit}{unit}{unit}{unit}{unit}/{seq}';
  const shop = await openShop(system, { units: [{ code: long, devices: [] }], series: { standard: { format } } });
  expect(await refused(shop.invoice())).toEqual(['series']);
  await shop.set({ units: [{ code: 'U1', devices: [] }] });
  expect((await shop.invoice()).number).toBe(`${'U1'.repeat(7)}/1`);
});
