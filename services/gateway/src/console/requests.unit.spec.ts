import { createIds, FakeClock, prefixed } from '@svc/kernel';
import type { Ask } from './ask.ts';
import { requestsHandlers } from './requests-handlers.ts';

const clock = new FakeClock();
const id = prefixed('req', createIds(clock).next());

interface Minute {
  /** Events of the minute of the request, the newest first. */
  events: number;
  /** Which of them the request has caused, counted from the first. */
  own: readonly number[];
  /** Events that arrive with each page read. */
  grows?: number;
  /** Lines of the history of each document; each event is of another one, and its last line. */
  lines?: number;
  /** Of an answer. */
  bytes?: number;
}

const found = async ({ events, own, grows = 0, lines = 1, bytes = 1_000 }: Minute) => {
  let count = events;
  const asked: string[] = [];
  const ask = (async (_: unknown, path: string, query: Record<string, string> = {}) => {
    const [page, size] = [Number(query['page']), Number(query['per_page'])];
    const pageOf = (all: object[]) => ({
      ...{ status: 200, bytes, body: { data: all.slice((page - 1) * size, page * size), meta: { total: all.length } } },
    });
    asked.push(`${path} ${size}`);
    if (path === '/events') {
      const all = Array.from({ length: count }, (_, n) => ({ sequence: lines, data: { id: `inv_${count - 1 - n}` } }));
      count += grows;
      return pageOf(all);
    }
    const isOwn = own.includes(Number(/inv_(\d+)/.exec(path)?.[1]));
    const line = (n: number) => ({ type: `line ${n + 1}`, at: 'now', request_id: isOwn && n > lines - 3 ? id : null });
    return pageOf(Array.from({ length: lines }, (_, n) => line(n)));
  }) as unknown as Ask;
  const rows = { get: async () => undefined };
  const request = { params: { id }, identity: { env: 'test', account: 'acct_1' } };
  const answer = await requestsHandlers({ context: {} as never, rows: rows as never, ask, publicUrl: 'http://test' })
    ['GET /console/requests/{id}'](request as never)
    .catch(({ code }: { code: string }) => ({ code, events: [] }));
  const shown = answer as { code?: string; events: { document_id: string; type: string }[] };
  return { documents: shown.events.map(({ document_id: of }) => of), types: shown.events.map(({ type }) => type), code: shown.code, asked };
};

test('a request that succeeded is found where 400 events followed in its minute, by its first pages alone', async () => {
  const { documents, asked } = await found({ events: 401, own: [0] });
  expect(documents).toEqual(['inv_0']);
  expect(asked.length).toBeLessThan(50);
});

test('each of the documents that it changed is found, also where they fill more than a page', async () => {
  const own = Array.from({ length: 30 }, (_, n) => n);
  expect((await found({ events: 400, own })).documents.sort()).toEqual(own.map((n) => `inv_${n}`).sort());
});

test('it is found while events arrive', async () => {
  expect((await found({ events: 60, own: [0], grows: 3 })).documents).toEqual(['inv_0']);
});

test('one that is in none of the first events is none', async () => {
  expect(await found({ events: 400, own: [] })).toMatchObject({ code: 'not_found' });
});

test('of a history only the lines around its event are read, also where they are in two parts of it', async () => {
  const { types, asked } = await found({ events: 1, own: [0], lines: 901 });
  expect(types).toEqual(['line 900', 'line 901']);
  expect(asked).toEqual(['/events 1', '/events 20', '/invoices/inv_0/events 5', '/invoices/inv_0/events 5']);
});

test('what wrote nothing is looked for in as many answers as are of 16 MiB', async () => {
  const { code, asked } = await found({ events: 400, own: [], bytes: 1024 * 1024 });
  expect([code, asked.length]).toEqual(['not_found', 17]);
});
