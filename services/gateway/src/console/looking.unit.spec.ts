import { FakeClock, iso } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';
import type { Ask } from './ask.ts';
import type { ConsoleContext } from './handlers.ts';
import { setupHandler } from './setup-handler.ts';
import { unavailable } from '../principals/inside/unavailable.ts';
import { todayHandler } from './today-handler.ts';

describe('setup', () => {
  const clock = new FakeClock();
  const missing = { field: 'software_code', rule: 'al.software_code', message: 'is missing' };
  const steps = [
    { id: 'issuer', done: false, missing: [missing] },
    { id: 'numbers', done: true, missing: [] },
    { id: 'authority', done: true, missing: [] },
  ];
  const view = {
    ...{ session: { _id: 's', via: null }, member: { _id: 'mem_1', role: 'owner' } },
    account: { _id: 'acct_1', plan: 'free', limits: null },
  };
  const read = (answers: Record<string, { status: number; body: unknown }>) => {
    const none = { status: 200, body: { data: [], meta: { total: 0 } } };
    const lists: typeof answers = { '/invoices': none, '/receipts': none };
    const ask = (async (_: unknown, path: string) => ({ ...lists, ...answers })[path] ?? { status: 404, body: {} }) as unknown as Ask;
    const request = { requestContext: { principal: { session: view } } } as unknown as FastifyRequest;
    const handlers = setupHandler({ ask, clock, addressOf: () => '192.0.2.1' });
    return handlers['GET /console/setup'](request as never);
  };

  test('has the steps of the issuer as submissions are judged by them, and a certificate that has ended is none', async () => {
    const certificate = { status: 200, body: { expires_at: iso(clock.now() - 1) } };
    const answer = await read({ '/issuer': { status: 200, body: { setup: { ready: false, steps } } }, '/fiscal-credentials': certificate });
    expect(answer.live.steps.slice(0, 3)).toEqual(steps);
    expect(answer.live.steps.map(({ id, done }) => [id, done]).slice(3)).toEqual([
      ['certificate', false],
      ['first_document', false],
    ]);
    expect(answer.live.ready).toBe(false);
  });

  test.each([
    ['es-verifactu', true],
    ['al-cis', false],
  ])('a certificate with which the installation sends for one authority is none for another: %s', async (authority, done) => {
    const none = { status: 404, body: { error: { details: { 'es-verifactu': ['Its documents are sent with it.'] } } } };
    const issuer = { status: 200, body: { livemode: true, authority, setup: { ready: true, steps } } };
    const answer = await read({ '/issuer': issuer, '/fiscal-credentials': none });
    expect(answer.live.steps.find(({ id }) => id === 'certificate')).toMatchObject({ done });
  });

  test.each([
    ['K72410014D', true],
    ['K72410099X', false],
  ])('a certificate that names another taxpayer than %s is named as what is missing', async (tax_id, done) => {
    const own = { status: 200, body: { expires_at: iso(clock.now() + 1), subject: 'C=AL, CN=K72410014D' } };
    const issuer = { status: 200, body: { livemode: true, authority: 'al-cis', tax_id, setup: { ready: true, steps: [] } } };
    const { live } = await read({ '/issuer': issuer, '/fiscal-credentials': own });
    const row = { field: 'certificate', rule: 'owner', message: expect.stringContaining('names K72410014D') };
    expect([live.ready, live.steps[0]]).toEqual([done, { id: 'certificate', done, missing: done ? [] : [row] }]);
  });

  test('is not answered without the issuer', async () => {
    await expect(read({ '/issuer': { status: 404, body: {} } })).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  test('is not answered as if there were no document where a list refuses what is asked', async () => {
    const issuer = { status: 200, body: { setup: { ready: false, steps } } };
    await expect(read({ '/issuer': issuer, '/receipts': { status: 400, body: {} } })).rejects.toThrow('GET /receipts');
  });
});

describe('today', () => {
  type Row = Record<string, unknown>;
  const invoice = { id: 'inv_1', number: 'INV-1', updated_at: '2026-03-01T00:00:00.000Z', due_date: '2026-03-01' };
  type Listed = (query: Record<string, string>) => Row[];
  /** `listed`, `receipts`: the rows of a list of invoices, of receipts, by its query. `fails`: the path that no service answers. */
  const sections = async (now: string, listed: Listed, fails?: string, receipts: Listed = () => []) => {
    const issuer = { time_zone: 'Pacific/Auckland', currency: 'NZD', units: [], setup: { steps: [] } };
    const ask = (async (_: unknown, path: string, query: Record<string, string> = {}) => {
      if (path === fails) throw unavailable();
      if (path === '/issuer') return { status: 200, body: issuer };
      const all = path === '/invoices' ? listed(query) : path === '/receipts' ? receipts(query) : [];
      const [page, size] = [Number(query['page'] ?? 1), Number(query['per_page'] ?? 20)];
      const body = { data: all.slice((page - 1) * size, page * size), meta: { total: all.length } };
      return { status: path.startsWith('/fiscal') ? 404 : 200, body };
    }) as unknown as Ask;
    const request = { identity: { account: 'acct_1', env: 'test', permissions: ['invoices:read'] }, requestContext: { principal: {} } };
    const context = { clock: new FakeClock(Date.parse(now)) } as unknown as ConsoleContext;
    return (await todayHandler(context, ask)['GET /console/today'](request as never)).data;
  };

  test('what is overdue was due before today where the issuer is, since the day after', async () => {
    // In Auckland it is the second of March by then.
    const named = { ...invoice, customer: { name: 'Lagertha' } };
    const data = await sections('2026-03-01T12:30:00Z', ({ due_to: due }) => (due === '2026-03-01' ? [named] : []));
    const rows = [expect.objectContaining({ title: 'INV-1 · Lagertha' })];
    expect(data).toEqual([expect.objectContaining({ kind: 'overdue', count: 1, oldest: '2026-03-01T11:00:00.000Z', rows })]);
  });

  test('what the authority takes no more within a day is about to be late, and counts once', async () => {
    const late = { ...invoice, fiscal: { late: true } };
    const data = await sections('2026-03-01T12:30:00Z', ({ fiscal_deadline_to: by, fiscal_status: status }) =>
      by === '2026-03-02T13:00:00.000Z' || status?.startsWith('pending') ? [late] : [],
    );
    expect(data).toEqual([expect.objectContaining({ kind: 'late', count: 1 })]);
  });

  test('so is a receipt', async () => {
    const receipt = { id: 'rcp_1', number: 'RCP-1', updated_at: '2026-03-01T00:00:00.000Z', fiscal: { late: false } };
    const receipts: Listed = ({ fiscal_deadline_to: by }) => (by === '2026-03-02T13:00:00.000Z' ? [receipt] : []);
    const [late] = await sections('2026-03-01T12:30:00Z', () => [], undefined, receipts);
    expect(late).toMatchObject({ kind: 'late', count: 1, rows: [{ document: { id: 'rcp_1' } }] });
  });

  test('refused invoices, which keep their deadline, hide none that is about to end, and more than a page of these are counted', async () => {
    const deadline_at = '2026-03-02T00:00:00.000Z';
    const invoices = Array.from({ length: 70 }, (_, n) => ({
      ...{ ...invoice, id: `inv_${n}`, number: `INV-${n}` },
      fiscal: { status: n < 40 ? 'rejected' : 'pending', late: true, deadline_at },
    }));
    const data = await sections('2026-03-01T12:30:00Z', ({ fiscal_deadline_to: by, fiscal_status: status }) =>
      invoices.filter(({ fiscal }) => (by ?? status?.includes('pending')) && (status?.split(',').includes(fiscal.status) ?? true)),
    );
    expect(data).toEqual([expect.objectContaining({ kind: 'late', count: 30 })]);
    expect(data[0]?.rows.map(({ document }) => document?.id)).toEqual(['inv_40', 'inv_41', 'inv_42', 'inv_43', 'inv_44']);
  });

  test.each([
    ['/issuer', ['overdue', 'numbers_closed']],
    ['/receipts', ['refused', 'in_doubt', 'needs_review', 'late']],
    ['/fiscal-credentials', ['ending']],
  ])('where %s is not answered its sections have no count, and the others stand', async (fails, unread) => {
    const failed = ({ status }: Record<string, string>) => (status === 'failed' ? [invoice] : []);
    const data = await sections('2026-03-01T12:30:00Z', failed, fails);
    expect(data.filter(({ count }) => count === null)).toEqual(unread.map((kind) => ({ kind, count: null, oldest: null, rows: [] })));
    expect(data[0]).toMatchObject({ kind: 'refused', count: unread.includes('refused') ? null : 1 });
  });
});
