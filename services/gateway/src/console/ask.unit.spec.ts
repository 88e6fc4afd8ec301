import { DomainError } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';
import { type Ask, createAsk, lastRows } from './ask.ts';

const request = {} as FastifyRequest;

describe('the last rows of a list whose oldest are first', () => {
  const rowsOf = async (total: number, least: number) => {
    const pages: string[] = [];
    const ask = (async (_: unknown, _path: string, query: Record<string, string>) => {
      const [page, size] = [Number(query['page']), Number(query['per_page'])];
      pages.push(query['page'] ?? '');
      const all = Array.from({ length: total }, (_row, n) => n);
      return { status: 200, bytes: 1, body: { data: all.slice((page - 1) * size, page * size), meta: { total } } };
    }) as unknown as Ask;
    return { ...(await lastRows(ask, request, '/x', { least, size: 20, keep: (row: number) => row })), pages };
  };

  test('are read from their pages alone, in the order of the list', async () => {
    const { rows, total, pages } = await rowsOf(905, 20);
    expect([rows[0], rows.at(-1), total, pages]).toEqual([880, 904, 905, ['1', '46', '45']]);
  });

  test('are all of a short list, whose one page is read once', async () => {
    for (const length of [0, 1, 20]) {
      const { rows, total, pages } = await rowsOf(length, 100);
      expect([rows.length, total, pages]).toEqual([length, length, ['1']]);
    }
    expect((await rowsOf(45, 100)).rows).toEqual(Array.from({ length: 45 }, (_, n) => n));
  });
});

test('nothing is asked for a client who has gone', async () => {
  let asked = 0;
  const fastify = { inject: async () => void (asked += 1) };
  const insiders = { turns: { take: async () => () => undefined }, admit: () => ({}), take: () => undefined };
  const turn = async (): Promise<void> => {
    throw new DomainError('service_unavailable', 'The caller has gone.');
  };
  const ask = createAsk(fastify as never, insiders as never);
  const gone = { turn, headers: {}, requestContext: { principal: { account: 'acct_1' }, requestId: 'req_1' } };
  await expect(ask(gone as never, '/invoices')).rejects.toMatchObject({ message: 'The caller has gone.' });
  expect(asked).toBe(0);
});
