import { FakeClock } from '@svc/kernel';
import type { Ask } from './ask.ts';
import { lookingHandlers } from './looking-handlers.ts';

type Answer = { status: number; body: object };
const rows = (...data: object[]): Answer => ({ status: 200, body: { data, meta: { total: data.length } } });
const tooMany: Answer = { status: 400, body: { error: { code: 'invalid_request', details: { q: ['More than 10,000 match.'] } } } };

/** `answer`: of a list, by its path and query. */
const handlers = (answer: (path: string, query: Record<string, string>) => Answer) => {
  const ask = (async (_: unknown, path: string, query: Record<string, string> = {}) => answer(path, query)) as unknown as Ask;
  return lookingHandlers(ask, new FakeClock(), undefined as never);
};
const principal = { permissions: ['*'], personalData: true };
const request = (query: object) => ({ query, requestContext: { principal } }) as never;
const search = (q: string, answer: Parameters<typeof handlers>[0]) => handlers(answer)['GET /console/search'](request({ q }));

describe('search', () => {
  test('names the kinds of which more match than can be searched, beside what is found', async () => {
    const found = await search('an', (path, { q }) =>
      q && path === '/customers' ? tooMany : path === '/products' ? rows({ id: 'prod_1', name: 'Anchor' }) : rows(),
    );
    expect(found).toEqual({ data: [{ kind: 'product', id: 'prod_1', title: 'Anchor' }], too_many: ['customer'] });
  });

  test('of documents of which too many match it finds those with the part in their number', async () => {
    const found = await search('inv-2', (path, { q }) =>
      path !== '/invoices' ? rows() : q ? tooMany : rows({ id: 'inv_1', number: 'INV-2026-1' }),
    );
    expect(found).toEqual({ data: [{ kind: 'invoice', id: 'inv_1', title: 'INV-2026-1' }], too_many: ['invoice'] });
  });

  test('finds a number of another series by its end, and none that only ends with the same digits', async () => {
    const ended = rows({ id: 'inv_1', number: 'SHOP-2026-000123' }, { id: 'inv_2', number: 'INV-2026-000123' });
    const found = await search('P-2026-000123', (path, { q }) => (path === '/invoices' && q === '000123' ? ended : rows()));
    expect(found).toEqual({ data: [{ kind: 'invoice', id: 'inv_1', title: 'SHOP-2026-000123' }] });
  });

  test('numbers that end with the digits come before those that have them elsewhere', async () => {
    const lists: Record<string, Answer> = {
      '8412': rows({ id: 'inv_1', number: 'INV-2026-008412' }),
      '*8412*': rows({ id: 'inv_2', number: 'INV-2026-084123' }, { id: 'inv_1', number: 'INV-2026-008412' }),
    };
    const found = await search('8412', (path, { q = '' }) => (path === '/invoices' && lists[q]) || rows());
    expect(found.data.map(({ id }) => id)).toEqual(['inv_1', 'inv_2']);
  });

  test('a draft, which has no number, has the name of its customer', async () => {
    const draft = rows({ id: 'inv_1', number: null, customer_name: 'Lagertha' }, { id: 'inv_2', number: null, customer_name: null });
    const found = await search('120.50', (path) => (path === '/invoices' ? draft : rows()));
    expect(found.data.map(({ title }) => title)).toEqual(['Lagertha', 'inv_2']);
  });

  test('nothing has an e-mail that a list refuses', async () => {
    const wrong: Answer = { status: 400, body: { error: { details: { email: ['Send an e-mail.'] } } } };
    expect(await search('@', (_, { email }) => (email ? wrong : rows()))).toEqual({ data: [] });
  });

  test('is not answered as if there were nothing where a list refuses what is asked', async () => {
    const wrong: Answer = { status: 400, body: { error: { details: { per_page: ['Send less.'] } } } };
    await expect(search('ana', () => wrong)).rejects.toThrow('400');
  });
});

test('counts are not answered as 0 where a list is refused', async () => {
  const answer = (status: number) =>
    handlers(() => ({ status, body: {} }))['GET /console/counts'](request({ of: 'invoices', by: 'status' }));
  await expect(answer(400)).rejects.toThrow('GET /invoices');
  await expect(answer(403)).rejects.toMatchObject({ code: 'service_unavailable' });
});
