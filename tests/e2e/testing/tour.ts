import { readFileSync } from 'node:fs';
import { routes, type RouteName } from '@svc/contracts/routes';
import { eventually, type Answer, type System } from '@svc/testkit';
import { openAccount, openKey, servedRoutes, type Account } from './accounts.ts';
import { recordingClient, type Seen } from './checked-client.ts';
import { bodyFor, item, createApiFixture, pathIn, type ApiFixture } from './api-fixture.ts';

type Any = Answer<Record<string, never>>;
type Step = () => Promise<Any>;

/** A PKCS#12 file in base64; its passphrase is `test-only`. */
export const certificate = (): string => readFileSync(new URL('../../fixtures/test-only.p12', import.meta.url)).toString('base64');

export interface Toured {
  account: Account;
  fixture: ApiFixture;
  /** Key values and webhook secrets of the responses, which must not appear elsewhere. */
  secrets: string[];
  /** Routes without a successful response, and why. */
  refused: string[];
}

/** Calls every served route once with success, with an account of its own. `onAnswer` gets every response. */
export async function tour(system: System, origin: string, onAnswer: (seen: Seen) => void): Promise<Toured> {
  const account = await openAccount(system, 'Tour', { onAnswer });
  const served = (await servedRoutes(system)) as RouteName[];
  const secrets = [account.testKey, account.liveKey];
  const keep = (seen: Seen): void => {
    const { secret, key } = seen.answer.body as { secret?: string; key?: string };
    for (const value of [secret, key]) if (value !== undefined) secrets.push(value);
    onAnswer(seen);
  };
  const call = recordingClient(system.url, account.testKey, keep);
  const fixture = await createApiFixture(system, { ...account, test: call }, origin, served);
  const other = await openKey(system, account);
  secrets.push(other.key);
  const create = async (path: string, body: object): Promise<string> =>
    (await call<{ id: string }>('POST', path, { body, headers: { prefer: 'wait=20' } })).body.id;
  const waiting = { headers: { prefer: 'wait=20' } };
  const invoice = async (simulate: string): Promise<string> => {
    const id = await create('/invoices', { customer_id: fixture.customer, items: [item], metadata: { simulate } });
    await call('POST', `/invoices/${id}/submit`, waiting);
    return id;
  };
  const receipt = (simulate: string): Promise<string> =>
    create('/receipts', { items: [item], payment_method: 'card', metadata: { simulate } });
  const inReview = (path: string): Promise<unknown> =>
    eventually(
      async () => (await call<{ fiscal: { status: string } }>('GET', path)).body.fiscal.status === 'needs_review',
      `${path} in review`,
    );
  const resolve = async (path: string): Promise<Any> => {
    await inReview(path);
    return call('POST', `${path}/resolve`, { body: { outcome: 'not_registered', note: 'Asked them.' } });
  };

  /** Routes that need more than a valid body. */
  const special: Partial<Record<RouteName, Step>> = {
    'POST /webhooks': () =>
      call('POST', '/webhooks', {
        body: { url: `${origin}/second`, events: ['customer.created'], description: 'Second' },
        headers: { 'idempotency-key': 'tour-webhook' },
      }),
    'POST /invoices/{id}/submit': async () => call('POST', `/invoices/${await invoice('reject')}/submit`, waiting),
    'POST /invoices/{id}/void': async () =>
      call('POST', `/invoices/${await invoice('accept')}/void`, { ...waiting, body: { reason: 'Wrong customer' } }),
    'POST /invoices/{id}/resolve': async () => resolve(`/invoices/${await invoice('duplicate_foreign')}`),
    'POST /receipts/{id}/resubmit': async () => call('POST', `/receipts/${await receipt('reject:credentials')}/resubmit`, waiting),
    'POST /receipts/{id}/resolve': async () => resolve(`/receipts/${await receipt('duplicate_foreign')}`),
    'POST /customers/{id}/erase': async () => call('POST', `/customers/${await create('/customers', { name: 'Gone' })}/erase`),
    'DELETE /customers/{id}': async () => call('DELETE', `/customers/${await create('/customers', { name: 'Gone' })}`),
    'PUT /fiscal-credentials': () => call('PUT', '/fiscal-credentials', { body: { certificate: certificate(), passphrase: 'test-only' } }),
    'GET /fiscal-credentials': () => call('GET', '/fiscal-credentials'),
    'POST /fiscal-credentials/activate': async () => {
      await call('PUT', '/fiscal-credentials', { body: { certificate: certificate(), passphrase: 'test-only', successor: true } });
      return call('POST', '/fiscal-credentials/activate');
    },
    'POST /issuer/devices/{code}/register': async () => {
      const { testKey } = await openAccount(system, 'Tills', { onAnswer });
      const shop = recordingClient(system.url, testKey, keep);
      const { units } = (
        await shop<{ units: { code: string; devices: string[] }[] }>('PATCH', '/issuer', { body: { authority: 'al-cis', country: 'AL' } })
      ).body;
      const more = units.map((unit) => ({ ...unit, devices: [...unit.devices, 'TILL2'] }));
      await shop('PATCH', '/issuer', { body: { units: more, devices: [{ code: 'TILL2', maintainer_code: 'mm123mm123' }] } });
      return shop('POST', '/issuer/devices/TILL2/register', waiting);
    },
    'POST /api-keys/rotate': () =>
      recordingClient(system.url, other.key, keep)('POST', '/api-keys/rotate', { headers: { 'idempotency-key': 'tour-rotation' } }),
  };
  const generic = (name: RouteName): Promise<Any> =>
    call(routes[name].method, pathIn(name, fixture), routes[name].body ? { body: bodyFor(name, fixture) } : {});

  const refused: string[] = [];
  for (const name of served.sort((a, b) => order(a) - order(b))) {
    const answer = await (special[name] ?? (() => generic(name)))();
    if (answer.status !== routes[name].ok) refused.push(`${name}: ${answer.status} ${answer.text.slice(0, 300)}`);
  }
  return { account, fixture, secrets, refused };
}

/** Order of the calls: PUT before GET, DELETE last. */
const order = (name: RouteName): number => ['PUT', 'GET', 'PATCH', 'POST', 'DELETE'].indexOf(routes[name].method);
