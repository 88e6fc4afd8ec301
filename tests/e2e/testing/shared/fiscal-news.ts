import { eventually } from '@svc/testkit';
import { openAccount, type Account } from '../accounts.ts';
import { item } from '../api-fixture.ts';
import type { Shared } from './shared-system.ts';

interface Fiscal {
  status: string;
  attempts: number;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  error: { code: string; message: string; fixable: string | null } | null;
}
interface Document {
  id: string;
  version: number;
  fiscal: Fiscal;
}

/** Documents that wait for an authority that is down say so. */
export function testFiscalNews(shared: () => Shared): void {
  let account: Account;
  beforeAll(async () => void (account = await openAccount(shared().system, 'Waiting')));

  const list = async <Item>(path: string): Promise<Item[]> => (await account.test<{ data: Item[] }>('GET', path)).body.data;

  test.each(['invoice', 'receipt'])('of the kind %s show the error once as news, and the attempts as they are now', async (kind) => {
    const metadata = { simulate: 'unavailable:10000' };
    const customer_id = (await account.test<{ id: string }>('POST', '/customers', { body: { name: 'Jo' } })).body.id;
    const body = kind === 'invoice' ? { customer_id, items: [item], metadata } : { items: [item], payment_method: 'card', metadata };
    const { id } = (await account.test<Document>('POST', `/${kind}s`, { body })).body;
    if (kind === 'invoice') await account.test('POST', `/${kind}s/${id}/submit`);
    const read = () => account.test<Document>('GET', `/${kind}s/${id}`);

    const first = await eventually(async () => {
      const answer = await read();
      return answer.body.fiscal.attempts >= 2 && answer.body.fiscal.error ? answer : undefined;
    }, 'the second attempt');
    const later = await eventually(async () => {
      const answer = await read();
      return answer.body.fiscal.attempts >= first.body.fiscal.attempts + 2 ? answer : undefined;
    }, 'two more attempts');
    expect(later.body.fiscal).toMatchObject({
      status: 'pending',
      error: { code: expect.any(String), message: expect.any(String), fixable: null },
    });
    expect([later.body.version, later.headers.get('etag')]).toEqual([first.body.version, first.headers.get('etag')]);
    await eventually(async () => {
      const before = await read();
      const { length } = await list(`/${kind}s/${id}/attempts?per_page=100`);
      const after = await read();
      return before.body.fiscal.attempts <= length && length <= after.body.fiscal.attempts;
    }, 'as many attempts as entries');
    await eventually(async () => (await read()).body.fiscal.next_attempt_at !== null, 'the time of the next attempt');

    const [listed] = await list<Document>(`/${kind}s`);
    expect(listed).toMatchObject({ id, fiscal: { attempts: 1, error: later.body.fiscal.error } });
    const history = await list<{ type: string; changes: { fiscal?: Fiscal } }>(`/${kind}s/${id}/events`);
    expect(history.filter(({ changes }) => changes.fiscal?.error)).toMatchObject([
      { type: 'updated', changes: { fiscal: { attempts: 1 } } },
    ]);
  });
}
