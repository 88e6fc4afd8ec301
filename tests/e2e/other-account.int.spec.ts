import { consoleRouteNames, consoleRoutes } from '@svc/contracts/console/routes';
import { type RouteName, routes } from '@svc/contracts/routes';
import type { Browser, Page } from '@svc/gateway/testing/browser';
import { ConsoleSystem, listOf } from './testing/console-system.ts';

let system: ConsoleSystem;
let owner: Browser;
let stranger: Browser;
/** What the first account has, by the part of a path that an id follows. */
const theirs: Record<string, string> = {};
beforeAll(async () => {
  system = await ConsoleSystem.start();
  owner = await system.owner();
  stranger = await system.other();
  await fill();
});
afterAll(() => system.stop());

const make = async (path: string, body: object): Promise<string> => {
  const { status, body: made, text } = await owner.call('POST', path, { livemode: false, body });
  if (status !== 201 && status !== 200) throw new Error(`${path}: ${text}`);
  return String(made['id']);
};

async function fill(): Promise<void> {
  const items = [{ description: 'Feed', unit_price: 10 }];
  theirs['customers'] = await make('/v1/customers', { name: 'Heron' });
  theirs['products'] = await make('/v1/products', { name: 'Feed', unit_price: 10 });
  theirs['invoices'] = theirs['documents'] = await make('/v1/invoices', { customer_id: theirs['customers'], items });
  theirs['receipts'] = await make('/v1/receipts', { items, payment_method: 'cash' });
  theirs['webhooks'] = await make('/v1/webhooks', { url: 'https://shop.example/hook', events: ['*'] });
  theirs['api-keys'] = await make('/api-keys', { name: 'Shop', livemode: false, permissions: ['*'] });
  theirs['members'] = await make('/members', { email: 'mate@example.com', role: 'viewer' });
  theirs['exports'] = await make('/exports', { kind: 'jsonl', from: '2026-01-01', to: '2026-12-31' });
  theirs['submissions'] = await make('/submissions', { ids: [theirs['invoices']] });
  const [session] = listOf<{ id: string }>(await owner.call('GET', '/sessions'));
  theirs['sessions'] = session?.id ?? '';
  const refused = await owner.call('POST', '/v1/invoices', { livemode: false, body: {} });
  theirs['requests'] = String((refused.body.error as { request_id?: string }).request_id);
  const [event] = listOf<{ id: string }>(await owner.call('GET', '/v1/events', { livemode: false }));
  theirs['events'] = event?.id ?? '';
  await owner.call('PUT', '/forms/invoice-new', { livemode: false, body: { typed: 'Heron' } });
  theirs['forms'] = 'invoice-new';
}

/** The first id of a path is theirs, or one of the same form that none has; further ones are of nothing. */
const withId = (path: string, id: (of: string, known: string) => string): string =>
  (path.endsWith('/stats') ? `${path}?hours=24` : path)
    .replace(/\/([\w-]+)\/\{(?:id|name)\}/, (_, of: string) => `/${of}/${id(of, theirs[of] ?? '')}`)
    .replaceAll(/\{\w+\}/g, 'x');
/** The last characters of an id are random. */
const unknown = (_: string, known: string): string => known.replace(/.{6}$/, 'zzzzzz');

const asked: (readonly [name: string, method: string, path: string])[] = [
  ...consoleRouteNames.map((name) => [name, consoleRoutes[name].method, consoleRoutes[name].path.replace('/console', '')] as const),
  ...(Object.keys(routes) as RouteName[])
    .filter((name) => routes[name].served)
    .map((name) => [name, routes[name].method, `/v1${routes[name].path}`] as const),
].filter(([, , path]) => /\{(?:id|name)\}/.test(path));

/** What is sent where a route wants more than an id. */
const bodies: Record<string, object> = {
  'PATCH /console/members/{id}': { role: 'admin' },
  'POST /invoices/{id}/void': { reason: 'A mistake' },
  'POST /receipts/{id}/void': { reason: 'A mistake' },
  'POST /invoices/{id}/payments': { amount: 1, paid_at: '2026-01-01' },
  'POST /invoices/{id}/resolve': { outcome: 'not_registered', note: 'No' },
  'POST /receipts/{id}/resolve': { outcome: 'not_registered', note: 'No' },
  'POST /webhooks/{id}/test': { event_type: 'invoice.created' },
  'POST /webhooks/{id}/recover': { since: '2026-11-01T00:00:00.000Z' },
};

const answerOf = ({ status, body }: Page, id: string): string => {
  const { error } = body;
  return `${status} ${JSON.stringify(error ? { ...error, request_id: null } : body)}`.replaceAll(id, 'the id');
};

test('every route with an id answers the owner of another account as for what is not there, and changes nothing', async () => {
  const differ: string[] = [];
  const call = async (name: string, method: string, path: string, id: typeof unknown): Promise<string> => {
    const body = method === 'GET' ? {} : { body: bodies[name] ?? {} };
    const filled = withId(path, id);
    return answerOf(
      await stranger.call(method, filled, { livemode: false, ...body }),
      filled.split('/')[path.startsWith('/v1') ? 3 : 2] ?? '',
    );
  };
  for (const [name, method, path] of asked) {
    const [found, none] = [await call(name, method, path, (_, known) => known), await call(name, method, path, unknown)];
    const isOwn = path.startsWith('/forms') && method !== 'GET'; // a form of the same name is one's own
    if (!isOwn && (found !== none || !found.startsWith('404 '))) differ.push(`${name}: ${found} and ${none}`);
  }
  expect(differ).toEqual([]);
  for (const list of ['customers', 'products', 'invoices', 'receipts', 'webhooks'])
    expect(await owner.call('GET', `/v1/${list}/${theirs[list]}`, { livemode: false })).toMatchObject({ status: 200 });
  expect((await owner.call('GET', '/forms/invoice-new', { livemode: false })).body).toEqual({ typed: 'Heron' });
  expect((await owner.call('GET', `/api-keys/${theirs['api-keys']}`)).body).toMatchObject({ name: 'Shop', permissions: ['*'] });
});

test('search, lists and the audit of another account name nothing of this one', async () => {
  const answers = await Promise.all([
    ...Object.values(theirs).map((id) => stranger.call('GET', `/search?q=${id}`, { livemode: false })),
    stranger.call('GET', '/search?q=Heron', { livemode: false }),
    stranger.call('GET', `/audit?target=${theirs['api-keys']}`),
    stranger.call('GET', `/v1/invoices?customer_id=${theirs['customers']}`, { livemode: false }),
    stranger.call('GET', '/exports', { livemode: false }),
    stranger.call('GET', '/submissions', { livemode: false }),
  ]);
  expect(answers.map(({ body }) => body['data'])).toEqual(answers.map(() => []));
});
