import { createIds, FakeClock, prefixed } from '@svc/kernel';
import type { Ask } from './ask.ts';
import { requestsHandlers } from './requests-handlers.ts';

const clock = new FakeClock();
const id = prefixed('req', createIds(clock).next());

/** Events of the minute of the request, a document each, the newest first. `own`: which documents it changed. `grows`: events that arrive with each page read. */
const found = async (events: number, own: readonly number[], grows = 0) => {
  let [count, asked] = [events, 0];
  const ask = (async (_: unknown, path: string, query: Record<string, string> = {}) => {
    asked += 1;
    if (path === '/events') {
      const [page, size] = [Number(query['page']), Number(query['per_page'])];
      const all = Array.from({ length: count }, (_, n) => ({ data: { id: `inv_${count - 1 - n}` } }));
      count += grows;
      return { status: 200, body: { data: all.slice((page - 1) * size, page * size), meta: { total: all.length } } };
    }
    const n = Number(/inv_(\d+)/.exec(path)?.[1]);
    const data = [{ type: 'created', at: 'now', request_id: own.includes(n) ? id : null }];
    return { status: 200, body: { data, meta: { total: 1 } } };
  }) as unknown as Ask;
  const rows = { get: async () => undefined };
  const request = { params: { id }, identity: { env: 'test', account: 'acct_1' } };
  const answer = await requestsHandlers(rows as never, ask, 'http://test')['GET /console/requests/{id}'](request as never);
  return { documents: (answer as { events: { document_id: string }[] }).events.map(({ document_id: of }) => of), asked };
};

test('a request that succeeded is found where 400 events followed in its minute, by its first pages alone', async () => {
  const { documents, asked } = await found(401, [0]);
  expect(documents).toEqual(['inv_0']);
  expect(asked).toBeLessThan(50);
});

test('each of the documents that it changed is found, also where they fill more than a page', async () => {
  const own = Array.from({ length: 30 }, (_, n) => n);
  expect((await found(400, own)).documents.sort()).toEqual(own.map((n) => `inv_${n}`).sort());
});

test('it is found while events arrive', async () => {
  expect((await found(60, [0], 3)).documents).toEqual(['inv_0']);
});

test('one that is in none of the first events is none', async () => {
  await expect(found(400, [])).rejects.toMatchObject({ code: 'not_found' });
});
