import { DomainError, FakeClock } from '@svc/kernel';
import { dataFolder, openSystem } from '../testing/open-system.ts';
import { openShop } from '../testing/shop.ts';
import { beginNumbering, takeNumber } from './take-number.ts';

const folder = dataFolder();
afterAll(() => folder.remove());

/** The moment at which 2027 begins there. */
const midnights = [
  ['Pacific/Kiritimati', '2026-12-31T10:00:00Z'],
  ['Europe/Tirane', '2026-12-31T23:00:00Z'],
  ['UTC', '2027-01-01T00:00:00Z'],
  ['America/Los_Angeles', '2027-01-01T08:00:00Z'],
] as const;

/** A system whose clock stands one millisecond before the moment. */
function before(moment: string) {
  const clock = new FakeClock(Date.parse(moment) - 1);
  const system = openSystem(`${folder.path}/${moment.replaceAll(':', '')}`, clock);
  return { clock, system, [Symbol.dispose]: () => system.engine.close() };
}
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof DomainError ? Object.keys(error.details ?? {}) : error),
  );

describe.each(midnights)('an issuer in %s', (time_zone, moment) => {
  test('counts from 1 again at its own midnight, invoices and receipts', async () => {
    using then = before(moment);
    const shop = await openShop(then.system, { time_zone });
    expect([(await shop.invoice()).number, (await shop.receipt()).number]).toEqual(['INV-2026-000001', 'RCP-2026-000001']);
    expect(await shop.invoice()).toMatchObject({ number: 'INV-2026-000002', issue_date: '2026-12-31' });
    await then.clock.advance(1);
    expect(await shop.invoice()).toMatchObject({ number: 'INV-2027-000001', issue_date: '2027-01-01' });
    expect((await shop.receipt()).number).toBe('RCP-2027-000001');
    expect(await refusal(shop.invoice({ issue_date: '2026-12-31' }))).toEqual(['issue_date']);
    expect(await shop.invoice({ issue_date: '2027-01-01' })).toMatchObject({ number: 'INV-2027-000002', issue_date: '2027-01-01' });
  });

  test('a series without {year} goes on', async () => {
    using then = before(moment);
    const shop = await openShop(then.system, { time_zone, series: { standard: { code: 'ALL', format: '{series}-{seq}' } } });
    expect(await shop.invoice()).toMatchObject({ number: 'ALL-1', issue_date: '2026-12-31' });
    await then.clock.advance(1);
    expect(await shop.invoice()).toMatchObject({ number: 'ALL-2', issue_date: '2027-01-01' });
    expect(await refusal(shop.invoice({ issue_date: '2026-12-31' }))).toEqual(['issue_date']);
  });

  test('what asked for its number before midnight and gets it after has the number and a date of the old year', async () => {
    using then = before(moment);
    const { context, ids } = then.system;
    const metadata = { account: `acct_${ids.next()}`, env: 'test' as const };
    const series = { ...metadata, code: 'INV', format: '{year}-{seq}', start: 1, unit: null, device: null };
    const numbering = await beginNumbering(context, { series, issueDate: null, timeZone: time_zone });
    await then.clock.advance(1);
    const taken = await takeNumber(context, { numbering, document: `inv_${ids.next()}`, request: 1, metadata });
    expect(taken).toMatchObject({ number: '2026-1', issue_date: '2026-12-31' });
  });
});

test('in Albania invoices and receipts of a till begin with 1/2027', async () => {
  using then = before('2026-12-31T23:00:00Z');
  const units = [{ code: 'U1', devices: ['D1'] }];
  const shop = await openShop(then.system, { country: 'AL', time_zone: 'Europe/Tirane', units });
  expect([(await shop.invoice()).number, (await shop.receipt()).number]).toEqual(['1/2026', '1/2026/D1']);
  await then.clock.advance(1);
  expect([(await shop.invoice()).number, (await shop.receipt()).number]).toEqual(['1/2027', '1/2027/D1']);
});

test('an issuer that moves to where it is still the old year neither returns to it nor repeats a number', async () => {
  using then = before('2026-12-31T10:00:00Z');
  const shop = await openShop(then.system, { time_zone: 'Pacific/Kiritimati' });
  await then.clock.advance(1);
  expect((await shop.invoice()).number).toBe('INV-2027-000001');
  await shop.set({ time_zone: 'America/Los_Angeles' });
  expect(await shop.invoice()).toMatchObject({ number: 'INV-2027-000002', issue_date: '2027-01-01' });
  expect(await refusal(shop.invoice({ issue_date: '2026-12-30' }))).toEqual(['issue_date']);
});
