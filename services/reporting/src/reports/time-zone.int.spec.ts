import { startReportingApp } from '../testing/reporting-app.ts';
import { invoiceEvent, issuerChanged } from '../testing/sample-documents.ts';

let app: Awaited<ReturnType<typeof startReportingApp>>; // At 2026-01-31T23:30:00Z.
beforeEach(async () => (app = await startReportingApp()));
afterEach(() => app.close());

const set = (to: string, time: string) => app.publish(issuerChanged({ time_zone: { from: 'UTC', to } }, { time, id: `evt_${time}` }));
const shown = async (query = '') => {
  const { body } = await app.get(`/reports/sales?${query}`);
  return [body['time_zone'], body['as_of']];
};

test('today is of the issuer’s time zone, also before its first document', async () => {
  expect(await shown()).toEqual(['UTC', '2026-01-31']);
  await set('Asia/Tokyo', '2026-01-20T09:00:00.000Z');
  expect(await shown()).toEqual(['Asia/Tokyo', '2026-02-01']);
  await app.publish(issuerChanged({ legal_name: { from: 'A', to: 'B' } }, { time: '2026-01-21T09:00:00.000Z', id: 'evt_2' }));
  expect(await shown()).toEqual(['Asia/Tokyo', '2026-02-01']);
});

test('a change of the zone counts until the next document, which has the issuer’s, and not for what was known before', async () => {
  const number = (n: number, time: string) =>
    app.publish(invoiceEvent(n, {}, { sequence: 1, time, entry: { type: 'numbered', numbered: { seq: n, series_key: 'S' } } }));
  await number(1, '2026-01-10T09:00:00.000Z');
  await set('Pacific/Honolulu', '2026-01-20T09:00:00.000Z');
  expect(await shown()).toEqual(['Pacific/Honolulu', '2026-01-31']);
  expect((await shown('known_at=2026-01-15T00:00:00Z'))[0]).toBe('Europe/Tirane');
  await number(2, '2026-01-25T09:00:00.000Z');
  expect(await shown()).toEqual(['Europe/Tirane', '2026-02-01']);
});
