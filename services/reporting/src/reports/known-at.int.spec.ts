import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { startReportingApp } from '../testing/reporting-app.ts';
import { invoiceEvent, registered, voidedAt, ACCOUNT } from '../testing/sample-documents.ts';

let app: Awaited<ReturnType<typeof startReportingApp>>;
const pending = { fiscal: { ...registered, status: 'pending' } };
const number = (n: number, given: object = {}) =>
  invoiceEvent(n, pending, { ...given, sequence: 1, entry: { type: 'numbered', numbered: { seq: n, series_key: 'S' } } });

beforeAll(async () => {
  app = await startReportingApp();
  const voided = voidedAt('2026-01-31T23:15:00.000Z');
  await app.publish(
    number(1),
    invoiceEvent(1, {}, { sequence: 2, entry: { type: 'registered' } }),
    invoiceEvent(1, { status: 'voided', void: voided }, { sequence: 3, time: voided.voided_at, entry: { type: 'voided' } }),
    number(2),
    invoiceEvent(2, {}, { sequence: 2, time: '2026-01-31T23:20:00.000Z', entry: { type: 'registered' } }),
  );
});
afterAll(() => app.close());

const period = 'from=2026-01-01&to=2026-02-28&as_of=2026-02-28';

describe('what is open', () => {
  test('are documents of the period that have a number and no outcome, now and as of a day', async () => {
    const other = { account: 'acct_01jqz5rk4e7000000000000003' };
    const number = invoiceEvent(7, pending, { ...other, sequence: 1, entry: { type: 'numbered', numbered: { seq: 1, series_key: 'S' } } });
    const rejected = { status: 'failed', fiscal: { ...registered, status: 'rejected' } };
    await app.publish(number);
    const open = async (query: string) => (await app.get(`/reports/sales?${query}`, other)).body['open'];
    expect(await open(period)).toEqual({ documents: 1, oldest_issue_date: '2026-01-10' });
    expect(await open('from=2026-01-11&to=2026-01-31')).toEqual({ documents: 0, oldest_issue_date: null });
    expect(await open(`${period}&kind=receipts`)).toEqual({ documents: 0, oldest_issue_date: null });
    await app.publish(invoiceEvent(7, rejected, { ...other, sequence: 2, time: '2026-01-20T00:00:00.000Z', entry: { type: 'rejected' } }));
    expect(await open(period)).toEqual({ documents: 0, oldest_issue_date: null });
    expect(await open('from=2026-01-01&to=2026-01-31&as_of=2026-01-19')).toEqual({ documents: 1, oldest_issue_date: '2026-01-10' });
    expect(await open(`${period}&known_at=2026-01-15T00:00:00Z`)).toEqual({ documents: 1, oldest_issue_date: '2026-01-10' });
  });
});

describe('known_at', () => {
  const at = '2026-01-31T23:00:00.000Z';
  const read = () => app.get(`/reports/sales?${period}&known_at=${at}`);

  test('cuts by the time of recording, in UTC', async () => {
    const { body } = await read();
    expect([body['known_at'], body.totals]).toEqual([at, [expect.objectContaining({ currency: 'EUR', documents: 1, total: 120 })]]);
    expect((await app.get(`/reports/sales?${period}`)).body.totals).toMatchObject([{ documents: 1, total: 120 }]);
    const offset = encodeURIComponent('2026-02-01T00:00:00+01:00');
    expect((await app.get(`/reports/sales?${period}&known_at=${offset}`)).body['known_at']).toBe(at);
  });

  test('is answered once everything until then has been read; without it, once what was there at the start has been', async () => {
    const other = await startReportingApp();
    const status = async (query: string) => (await other.get(`/reports/sales${query}`)).status;
    const enough = Date.parse(at) + 4 * 60_000; // an event may be stored later than its time says
    Object.assign(other.reading, { published: enough, stored: enough - 1 });
    expect([await status(`?known_at=${at}`), await status('')]).toEqual([503, 503]);
    other.reading.stored = enough;
    expect([await status(`?known_at=${at}`), await status('')]).toEqual([200, 503]);
    other.reading.published = other.clock.now();
    expect(await status('')).toBe(200);
    await other.close();
  });

  test('is not answered at or after the time of what the publisher of an account has put aside', async () => {
    const other = await startReportingApp();
    other.reading.putAside = { [`test.${ACCOUNT}`]: Date.parse(at) };
    const status = async (known_at: string, given = {}) => (await other.get(`/reports/sales?known_at=${known_at}`, given)).status;
    expect([await status(at), await status('2026-01-31T22:59:59.999Z'), await status(at, { account: 'acct_2' })]).toEqual([503, 200, 200]);
    expect((await other.get('/reports/sales')).status).toBe(200);
    await other.close();
  });

  test('nothing is answered before a mark says that all of the history is published', async () => {
    const other = await startReportingApp();
    other.reading.stored = -Infinity;
    expect((await other.get('/reports/sales')).status).toBe(503);
    other.reading.stored = 1;
    expect((await other.get('/reports/sales')).status).toBe(200);
    await other.close();
  });

  test('is not answered while a gap is older', async () => {
    const other = { account: 'acct_01jqz5rk4e7000000000000004' };
    const held = invoiceEvent(8, {}, { ...other, sequence: 2, entry: { type: 'registered' } });
    const asOther = () => app.get(`/reports/sales?${period}&known_at=${at}`, other);
    await app.publish(held);
    expect((await asOther()).status).toBe(503);
    expect((await read()).status).toBe(200);
    await app.publish(
      invoiceEvent(8, pending, { ...other, sequence: 1, entry: { type: 'numbered', numbered: { seq: 1, series_key: 'S' } } }),
    );
    expect(await asOther()).toMatchObject({ status: 200, body: { totals: [{ total: 120 }] } });
  });
});

describe('known_at on later days', () => {
  test('has its own today: period, age of what is due and all else are the same on the next day', async () => {
    const other = await startReportingApp();
    await other.publish(number(1), invoiceEvent(1, { due_date: '2026-02-10' }, { sequence: 2, entry: { type: 'registered' } }));
    const look = async () => {
      const names = ['receivables', 'sales', 'customers', 'numbering'];
      return Promise.all(names.map(async (name) => (await other.get(`/reports/${name}?known_at=2026-01-31T20:00:00Z`)).body));
    };
    const before = await look();
    expect(before[0]).toMatchObject({
      as_of: '2026-01-31',
      from: '2026-01-01',
      generated_at: '2026-01-31T20:00:00.000Z',
      data: [{ not_due: 120 }],
    });
    await other.passTime(86_400_000);
    expect(await look()).toEqual(before);
    await other.close();
  });
});

describe('known_at while events wait', () => {
  const [numberedAt, before, missingAt, between, heldAt] = [10, 11, 12, 13, 14].map((day) => `2026-01-${day}T12:00:00.000Z`) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const ofAccount = (n: number) => {
    const other = { account: `acct_01jqz5rk4e70000000000001${n}` };
    const lines = [
      number(n, { ...other, time: numberedAt }),
      invoiceEvent(n, {}, { ...other, sequence: 2, time: missingAt, id: `evt_${n}`, entry: { type: 'registered' } }),
      invoiceEvent(n, {}, { ...other, sequence: 3, time: heldAt, entry: { type: 'payment_recorded' } }),
    ] as [PublicEvent, PublicEvent, PublicEvent];
    const status = async (known_at: string) => (await app.get(`/reports/numbering?${period}&known_at=${known_at}`, other)).status;
    return { lines, status };
  };

  test('is not answered at or after the time of a dead letter, though it is the last event of its document', async () => {
    const { lines, status } = ofAccount(11);
    await app.publish(lines[0]);
    await app.fail(topics.invoice, lines[1]);
    expect([await status(before), await status(missingAt), await status(heldAt)]).toEqual([200, 503, 503]);
    expect(await app.redrive()).toMatchObject({ redriven: 1 });
    expect(await status(heldAt)).toBe(200);
  });

  test('is not answered from the last known line of a document on of which a later one is held', async () => {
    const { lines, status } = ofAccount(12);
    await app.publish(lines[0], lines[2]);
    const early = '2026-01-10T11:59:59.999Z';
    expect([await status(early), await status(numberedAt), await status(between), await status(heldAt)]).toEqual([200, 503, 503, 503]);
    await app.publish(lines[1]);
    expect([await status(between), await status(heldAt)]).toEqual([200, 200]);
  });

  test('is not answered after a raise of a series that is a dead letter, and by that of another account as ever', async () => {
    const { lines, status } = ofAccount(13);
    const data = { series_key: 'S', after_seq: 1, to_seq: 9, issue_date: '2026-01-12' };
    await app.fail(topics.series, { ...lines[1], type: 'invoicing.numbers-raised.v1', subject: 'S', data });
    expect([await status(before), await status(between), await ofAccount(14).status(between)]).toEqual([200, 503, 200]);
    await app.redrive();
    expect(await status(between)).toBe(200);
  });
});
