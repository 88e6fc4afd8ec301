import { eventually, type Answer } from '@svc/testkit';
import { openAccount, type Account } from '../accounts.ts';
import { item } from '../api-fixture.ts';
import type { Shared } from './shared-system.ts';

interface Document {
  id: string;
  status: string;
  available_actions: string[];
  fiscal: { status: string } | null;
}

const wait = { headers: { prefer: 'wait=20' } };
const resolution = { outcome: 'registered', code: 'BY-HAND', note: 'Asked them.' };

/** A resolution by hand is refused by the status of the document, whichever service knows it. */
export function testResolution(shared: () => Shared): void {
  let account: Account;
  let customer: string;
  beforeAll(async () => {
    account = await openAccount(shared().system, 'Resolve');
    customer = (await account.test<{ id: string }>('POST', '/customers', { body: { name: 'Jo' } })).body.id;
  });

  const draft = async (simulate = 'accept'): Promise<Document> => {
    const body = { customer_id: customer, items: [item], metadata: { simulate } };
    return (await account.test<Document>('POST', '/invoices', { body })).body;
  };
  const submit = async ({ id }: Document): Promise<Document> => (await account.test<Document>('POST', `/invoices/${id}/submit`, wait)).body;
  const resolve = (kind: string, id: string): Promise<Answer> => account.test('POST', `/${kind}s/${id}/resolve`, { body: resolution });
  const refusal = ({ status, available_actions }: Document) => ({
    status: 422,
    body: {
      error: {
        code: 'invalid_state',
        message: `Resolution is not possible while the status is ${status}. available_actions: ${available_actions.join(', ') || 'none'}.`,
      },
    },
  });

  test('of a draft, of a voided one and of a failed one is 422, naming status and actions', async () => {
    const [undecided, voided] = [await draft(), await draft()];
    const gone = (await account.test<Document>('POST', `/invoices/${voided.id}/void`)).body;
    const failed = await submit(await draft('reject'));
    expect([undecided.status, gone.status, failed.status]).toEqual(['draft', 'voided', 'failed']);
    for (const invoice of [undecided, gone, failed]) expect(await resolve('invoice', invoice.id)).toMatchObject(refusal(invoice));
    expect((await account.test('GET', `/invoices/${undecided.id}/attempts`)).status).toBe(404);
  });

  test('of a registered one names what can be done with it; of one that is being voided, its voiding', async () => {
    const done = await submit(await draft('slow:700'));
    expect(done.available_actions).toContain('record_payment');
    expect(await resolve('invoice', done.id)).toMatchObject(refusal(done));
    await account.test('POST', `/invoices/${done.id}/void`, { body: { reason: 'Wrong customer' } });
    const message = expect.stringMatching(/while the status is void(ing|ed)\. available_actions: none\.$/) as string;
    expect(await resolve('invoice', done.id)).toMatchObject({ status: 422, body: { error: { code: 'invalid_state', message } } });
  });

  test('of an invoice or receipt that was handed over a moment ago is 422', async () => {
    const { id } = await draft('slow:1500');
    await account.test('POST', `/invoices/${id}/submit`);
    expect(await resolve('invoice', id)).toMatchObject(refusal({ status: 'submitting', available_actions: [] } as unknown as Document));
    const body = { items: [item], payment_method: 'card', metadata: { simulate: 'slow:1500' } };
    const receipt = (await account.test<Document>('POST', '/receipts', { body })).body;
    expect(await resolve('receipt', receipt.id)).toMatchObject(refusal(receipt));
  });

  test('of what does not exist, or belongs to another account, is 404', async () => {
    const other = await openAccount(shared().system, 'Other');
    const { id } = await draft();
    expect((await resolve('invoice', `inv_${'0'.repeat(26)}`)).body.error).toMatchObject({ code: 'not_found' });
    expect((await resolve('receipt', id)).status).toBe(404);
    expect((await other.test('POST', `/invoices/${id}/resolve`, { body: resolution })).status).toBe(404);
  });

  test('ends a doubt once, and answers at once', async () => {
    const { id } = await submit(await draft('duplicate_foreign'));
    const read = async (): Promise<Document> => (await account.test<Document>('GET', `/invoices/${id}`)).body;
    await eventually(async () => (await read()).available_actions.includes('resolve'), 'the doubt');
    expect(await resolve('invoice', id)).toMatchObject({
      status: 200,
      body: { object: 'submission', document_id: id, status: 'registered' },
    });
    expect(await resolve('invoice', id)).toMatchObject({ status: 422, body: { error: { code: 'invalid_state' } } });
    await eventually(async () => (await read()).status === 'submitted', 'its registration');
  });
}
