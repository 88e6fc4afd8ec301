import { client, eventually, type Call, type System } from '@svc/testkit';
import { admin, HUGE } from '../accounts.ts';
import { everything } from '../retrying-client.ts';
import type { Shared } from './shared-system.ts';

interface Document {
  id: string;
  type: string;
  status: string;
  number: string | null;
  corrects: string | null;
  total: number;
  amount_due?: number;
  voids?: string;
  fiscal: { status: string; code: string | null } | null;
  void: { document_id: string | null; voided_at: string | null; error: { code: string } | null } | null;
  metadata: Record<string, string>;
}
interface Shop {
  call: Call;
  customer_id: string;
}
type Path = '/invoices' | '/receipts';
const paths = ['/invoices', '/receipts'] as const;
const items = [{ description: 'Tea', quantity: 3, unit_price: 9.99, taxes: [{ rate: 0, code: 'Z' }], discounts: [{ amount: 1.5 }] }];
const waiting = { headers: { prefer: 'wait=25' } };

/** An account whose issuer is of the country, with one till. */
async function shopIn(system: System, country: string): Promise<Shop> {
  const { body: account } = await admin(system)<{ test_key: string }>('POST', '/accounts', {
    body: { name: country, plan: 'enterprise', limits: HUGE },
  });
  const call = client(`${system.url}/v1`, account.test_key);
  await call('PATCH', '/issuer', { body: { country, currency: 'EUR', units: [{ code: 'U1', devices: ['D1'] }] } });
  const { id } = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Jo' } })).body;
  return { call, customer_id: id };
}

/** A registered document. `simulate`: what the authority does with its void. */
async function issued({ call, customer_id }: Shop, path: Path, simulate = 'accept'): Promise<Document> {
  const body = { items, metadata: { simulate, order: 'A-1' } };
  if (path === '/receipts') return (await call<Document>('POST', path, { body: { ...body, payment_method: 'cash' }, ...waiting })).body;
  const { id } = (await call<Document>('POST', path, { body: { ...body, customer_id } })).body;
  return (await call<Document>('POST', `${path}/${id}/submit`, waiting)).body;
}
const read = async ({ call }: Shop, path: Path, id: string): Promise<Document> => (await call<Document>('GET', `${path}/${id}`)).body;
const requestVoid = ({ call }: Shop, path: Path, id: string) =>
  call<Document>('POST', `${path}/${id}/void`, { body: { reason: 'Wrong customer' } });
async function ended(shop: Shop, path: Path, id: string): Promise<Document> {
  await eventually(async () => (await read(shop, path, id)).status !== 'voiding', `the end of the void of ${id}`);
  return read(shop, path, id);
}
const typesOf = async ({ call }: Shop, id: string): Promise<string[]> =>
  (await everything<{ type: string; id: string }>(call, `/events`, { resource_id: id })).map(({ type }) => type).sort();

/** Restarts the system at its end. */
export function testVoids(shared: () => Shared): void {
  describe.each(['AL', 'ME'])('an issuer of %s', (country) => {
    test.each(paths)('a document of %s is void once its corrective is registered', async (path) => {
      const shop = await shopIn(shared().system, country);
      const { id, total, fiscal } = await issued(shop, path);
      const answer = await requestVoid(shop, path, id);
      expect([answer.status, answer.body.status]).toEqual([200, 'voiding']);
      const voided = await ended(shop, path, id);
      const corrective = await read(shop, path, voided.void?.document_id as string);
      const year = new Date().getUTCFullYear();
      expect(voided).toMatchObject({ status: 'voided', fiscal: { status: 'registered', code: fiscal?.code }, void: { error: null } });
      expect(corrective).toMatchObject({
        ...{ type: 'corrective', corrects: id, total: -total, fiscal: { status: 'registered', code: expect.any(String) } },
        number: path === '/invoices' ? `2/${year}` : `2/${year}/D1`,
      });
      expect(corrective.fiscal?.code).not.toBe(fiscal?.code);
      const { body: listed } = await shop.call<{ data: Document[] }>('GET', path, { query: { corrects: id, type: 'corrective' } });
      expect(listed.data).toEqual([corrective]);
      const { body: attempts } = await shop.call<{ data: { kind: string }[] }>('GET', `${path}/${id}/attempts`);
      expect(attempts.data.map(({ kind }) => kind)).not.toContain('cancel');
      // Webhooks: the usual ones of an invoice, and of a receipt that of the original alone.
      await eventually(async () => (await typesOf(shop, id)).some((type) => type.endsWith('.voided')), 'the event of the void');
      const heard = await typesOf(shop, corrective.id);
      if (path === '/receipts') expect(heard).toEqual([]);
      else expect(heard).toEqual(['invoice.created', 'invoice.submitted', 'invoice.updated']);
    });

    test.each(paths)('a document of %s stays as it was where its corrective is rejected, and can be voided again', async (path) => {
      const shop = await shopIn(shared().system, country);
      const { id, status } = await issued(shop, path, 'refuse_void');
      await requestVoid(shop, path, id);
      const refused = await ended(shop, path, id);
      expect(refused).toMatchObject({ status, void: { voided_at: null, error: { code: expect.any(String) } } });
      expect(await read(shop, path, refused.void?.document_id as string)).toMatchObject({ fiscal: { status: 'rejected' } });
      await requestVoid(shop, path, id);
      const again = await ended(shop, path, id);
      expect(again.void?.document_id).not.toBe(refused.void?.document_id);
    });
  });

  test('an invoice with a credit note is not voided', async () => {
    const shop = await shopIn(shared().system, 'AL');
    const { id } = await issued(shop, '/invoices');
    const body = { customer_id: shop.customer_id, type: 'credit_note', corrects: id, items };
    const { body: note } = await shop.call<Document>('POST', '/invoices', { body });
    await shop.call('POST', `/invoices/${note.id}/submit`, waiting);
    expect(await requestVoid(shop, '/invoices', id)).toMatchObject({ status: 422, body: { error: { code: 'invalid_state' } } });
  });

  test('voids that kill -9 stops in the middle make one corrective each', async () => {
    const shop = await shopIn(shared().system, 'AL');
    const documents: [Path, string][] = [];
    for (let n = 0; n < 6; n += 1) for (const path of paths) documents.push([path, (await issued(shop, path)).id]);
    const requests = documents.map(([path, id]) => requestVoid(shop, path, id).catch(() => undefined));
    await eventually(async () => {
      const all = await Promise.all(documents.map(([path, id]) => read(shop, path, id)));
      return all.some(({ status }) => status !== 'submitted' && status !== 'issued');
    }, 'the first void');
    await shared().system.kill('SIGKILL');
    shared().system = await shared().system.restart();
    await Promise.all(requests);
    for (const [path, id] of documents) expect((await requestVoid(shop, path, id)).status).toBe(200);
    for (const [path, id] of documents) {
      const { void: request, status } = await ended(shop, path, id);
      expect([id, status]).toEqual([id, 'voided']);
      const correctives = (await everything<Document>(shop.call, path)).filter(({ corrects }) => corrects === id);
      expect(correctives.map((one) => one.id)).toEqual([request?.document_id]);
    }
    for (const path of paths) {
      const numbers = (await everything<Document>(shop.call, path)).map(({ number }) => Number(number?.split('/')[0]));
      expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
    }
  }, 300_000);
}
