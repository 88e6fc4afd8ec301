import { createIds, dayIn, OutcomeUnknown, plusDays, timeOf } from '@svc/kernel';
import type { RouteName } from '@svc/contracts/routes';
import { dataFolder } from './testing/open-system.ts';
import { serve } from './testing/serve.ts';

interface Entry {
  index: number;
  status: number;
  resource?: { id: string; version: number; notes: string | null; number: string | null };
  error?: { code: string; message: string; details?: Record<string, string[]> };
}
interface Result {
  succeeded: number;
  failed: number;
  data: Entry[];
}
type Served = ReturnType<typeof serve>;
type Asked = Parameters<Served['call']>[1];

/** Answers a batch that is carried out. */
async function batch({ call }: Served, name: RouteName, asked: Asked) {
  const { status, body, headers } = await call(name, asked);
  expect([status, body]).toEqual([200, expect.objectContaining({ object: 'batch' })]);
  return { ...(body as unknown as Result), headers };
}

const total = async ({ call }: Served, name: RouteName): Promise<unknown> =>
  ((await call(name, { query: 'per_page=1' })).body['meta'] as { total: number }).total;
const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

const served = serve();
const { call, system } = served;
beforeAll(() => served.start());
afterAll(() => served.stop());

let customer: string;
const item = { description: 'x', unit_price: 1, tax_rate: 0 };
const invoice = (over: object = {}) => ({ customer_id: customer, items: [item], ...over });
const bodies: Record<string, () => object> = {
  invoices: invoice,
  customers: () => ({ name: 'Jo' }),
  products: () => ({ name: 'Hour', unit_price: 1 }),
};
beforeAll(async () => {
  customer = await served.customer();
});

describe.each(['invoices', 'customers', 'products'])('/%s/batch', (plural) => {
  const [list, create, many] = [`GET /${plural}`, `POST /${plural}`, `POST /${plural}/batch`] as RouteName[] as [
    RouteName,
    RouteName,
    RouteName,
  ];
  const body = (): object => (bodies[plural] as () => object)();

  test('makes all of a hundred but the one that is wrong, which gets the error that it would get alone', async () => {
    const before = Number(await total(served, list));
    const wrong = { ...body(), colour: 'red' };
    const requests = range(100).map((n) => (n === 50 ? wrong : body()));
    const { succeeded, failed, data } = await batch(served, many, { body: { requests } });
    expect([succeeded, failed]).toEqual([99, 1]);
    expect(data.map(({ index, status }) => [index, status])).toEqual(range(100).map((n) => [n, n === 50 ? 422 : 201]));
    const alone = (await call(create, { body: wrong })).body['error'] as Entry['error'];
    expect(data[50]?.error).toMatchObject({ code: alone?.code, message: alone?.message, details: alone?.details });
    expect(await total(served, list)).toBe(before + 99);
    const ids = data.flatMap(({ resource }) => resource?.id ?? []);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  test('is refused with no request and with more than a hundred', async () => {
    const before = await total(served, list);
    for (const requests of [[], range(101).map(body), 'x', [1]]) {
      expect(await call(many, { body: { requests } })).toMatchObject({ status: 422, body: { error: { code: 'validation_error' } } });
    }
    expect(await total(served, list)).toBe(before);
  });

  test('repeated under its command id makes nothing and answers the same', async () => {
    const before = Number(await total(served, list));
    const commandId = system.ids.next();
    const asked = { commandId, body: { requests: range(20).map(body) } };
    const [first, again] = [await batch(served, many, asked), await batch(served, many, asked)];
    expect(again.data).toEqual(first.data);
    expect(await total(served, list)).toBe(before + 20);
  });
});

test('batches of one millisecond make resources of their own, also at the same place', async () => {
  const moment = system.clock.now();
  const ids = createIds({ now: () => moment });
  const before = Number(await total(served, 'GET /customers'));
  const commands = [ids.next(), ids.next()];
  expect(new Set(commands.map(timeOf))).toEqual(new Set([moment]));
  const made: unknown[] = [];
  for (const commandId of commands) {
    const { data } = await batch(served, 'POST /customers/batch', { commandId, body: { requests: range(3).map(() => ({ name: 'Jo' })) } });
    made.push(...data.map(({ resource }) => resource?.id));
  }
  expect([new Set(made).size, await total(served, 'GET /customers')]).toEqual([6, before + 6]);
});

test('a hundred invoices share commits, also when they are submitted, and take their numbers in their order', async () => {
  const commits = () => system.engine.counters.commits;
  let before = commits();
  const { data } = await batch(served, 'POST /invoices/batch', { body: { requests: range(100).map(() => invoice({ series: 'MANY' })) } });
  expect(commits() - before).toBeLessThan(50);
  const ids = data.map(({ resource }) => resource?.id);
  before = commits();
  const submitted = await batch(served, 'POST /invoices/batch/submit', { body: { ids } });
  // Request, number and numbered document of each, one after the other.
  expect(commits() - before).toBeLessThan(400);
  expect(submitted.data.map(({ resource }) => [resource?.id, Number(resource?.number?.slice(-6))])).toEqual(
    ids.map((id, n) => [id, n + 1]),
  );
});

test('numbers are taken in the order of the ids: no item is refused by a later one', async () => {
  const day = (n: number) => plusDays(dayIn('UTC', system.clock.now()), n - 10);
  const dated = (n: number, lines: number) => invoice({ series: 'DATED', issue_date: day(n), items: range(lines).map(() => item) });
  const { data } = await batch(served, 'POST /invoices/batch', { body: { requests: [dated(0, 400), dated(1, 1), dated(2, 1)] } });
  const ids = data.map(({ resource }) => String(resource?.id));
  const submitted = await batch(served, 'POST /invoices/batch/submit', { body: { ids: [...ids, ids[0]] } });
  expect(submitted.data.map(({ status, resource }) => [status, resource?.number?.slice(-1)])).toEqual([
    [200, '1'],
    [200, '2'],
    [200, '3'],
    [200, '1'],
  ]);
});

test('a submission of a batch fails by itself: unknown, voided; one that is named twice is one', async () => {
  const { data } = await batch(served, 'POST /invoices/batch', { body: { requests: [invoice({ series: 'SOME' }), invoice()] } });
  const [good, voided] = data.map(({ resource }) => String(resource?.id));
  await call('POST /invoices/{id}/void', { id: voided as string, body: {} });
  const ids = [good, voided, 'nonsense', `inv_${'0'.repeat(26)}`, good];
  const asked = { commandId: system.ids.next(), body: { ids } };
  const seen = ({ data }: Result) => data.map(({ status, resource, error }) => [status, resource?.number?.slice(-2) ?? error?.code]);
  const expected = [
    [200, '01'],
    [422, 'invalid_state'],
    [404, 'not_found'],
    [404, 'not_found'],
    [200, '01'],
  ];
  for (const _ of ['first', 'again']) expect(seen(await batch(served, 'POST /invoices/batch/submit', asked))).toEqual(expected);
});

test('after a crash in the middle a repeat makes only what is missing', async () => {
  const folder = dataFolder();
  const account = 'acct_01jh2k3m4n5p6q7r8s9t0v1w2x';
  const commandId = system.ids.next();
  const first = serve({ account, folder });
  await first.start();
  const owner = await first.customer();
  const asked = { commandId, body: { requests: range(100).map((n) => ({ customer_id: owner, items: [item], notes: `${n}` })) } };
  const made = appended(first.system, 30);
  void first.call('POST /invoices/batch', asked).catch(() => undefined);
  await made.reached;
  await first.crash();

  const second = serve({ account, folder });
  await second.start();
  const missing = appended(second.system, Infinity);
  const { data } = await batch(second, 'POST /invoices/batch', asked);
  expect(data.map(({ resource }) => [resource?.notes, resource?.version])).toEqual(range(100).map((n) => [`${n}`, 1]));
  expect([made.streams.length, missing.streams.length]).toEqual([30, 70]);
  expect(new Set([...made.streams, ...missing.streams]).size).toBe(100);
  await second.stop();
});

/** The streams of appends that are stored, up to `most`: later ones never end. `reached`: there are as many. */
function appended({ store }: Served['system'], most: number) {
  const append = store.append.bind(store);
  const streams: string[] = [];
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  let begun = 0;
  store.append = async (stream, ...args) => {
    begun += 1;
    if (begun > most) return new Promise(() => undefined);
    const done = await append(stream, ...args);
    if (streams.push(stream) === most) resolve();
    return done;
  };
  return { streams, reached };
}

test('an item whose outcome is not known shows it, the answer says that a repeat makes sense, and that makes the rest', async () => {
  const { store } = system;
  const append = store.append.bind(store);
  const before = Number(await total(served, 'GET /invoices'));
  const asked = { commandId: system.ids.next(), body: { requests: [invoice(), invoice(), invoice()] } };
  let appended = 0;
  store.append = (...args) => {
    appended += 1;
    return appended === 2 ? Promise.reject(new OutcomeUnknown('lost')) : append(...args);
  };
  const first = await batch(served, 'POST /invoices/batch', asked);
  store.append = append;
  expect(first.data.map(({ status, error }) => [status, error?.code])).toEqual([
    [201, undefined],
    [500, 'outcome_unknown'],
    [201, undefined],
  ]);
  expect(first.headers['retry-after']).toBe('1');
  const again = await batch(served, 'POST /invoices/batch', asked);
  expect([again.succeeded, again.headers['retry-after']]).toEqual([3, undefined]);
  expect(await total(served, 'GET /invoices')).toBe(before + 3);
});

describe('sizes', () => {
  const KIB = 1_024;
  const filler = (bytes: number) => ({ ...invoice(), metadata: { filler: 'x'.repeat(bytes) } });

  test('an item beyond the size of a request is 413 by itself, a body of more than 1 MiB whole', async () => {
    const { data } = await batch(served, 'POST /invoices/batch', { body: { requests: [invoice(), filler(257 * KIB)] } });
    expect(data.map(({ status, error }) => [status, error?.code])).toEqual([
      [201, undefined],
      [413, 'payload_too_large'],
    ]);
    const before = await total(served, 'GET /invoices');
    expect((await call('POST /invoices/batch', { body: { requests: [filler(1_024 * KIB)] } })).status).toBe(413);
    expect(await total(served, 'GET /invoices')).toBe(before);
  });

  /** What stands at a limit, by the field that is named where it is one beyond. */
  const text = (length: number): string => 'x'.repeat(length);
  const pairs = (count: number, key = 4, value = 1) => Object.fromEntries(range(count).map((n) => [`${n}`.padEnd(key, 'k'), text(value)]));
  const taxes = (count: number) => range(count).map((n) => ({ category: `T${n}`, rate: 1 }));
  const everywhere: Record<string, (beyond: 0 | 1) => object> = {
    metadata: (beyond) => ({ metadata: pairs(50 + beyond) }),
    'metadata.0': (beyond) => ({ metadata: pairs(1, 40, 500 + beyond) }),
    'metadata.0k': (beyond) => ({ metadata: pairs(1, 40 + beyond) }),
  };
  const priced = (beyond: 0 | 1) => ({ unit_price: beyond ? '1000000000000' : '999999999999' });
  const atLimits: Record<string, Record<string, (beyond: 0 | 1) => object>> = {
    invoices: {
      ...everywhere,
      items: (beyond) => ({ items: Array(500 + beyond).fill(item) }),
      'items.0.taxes': (beyond) => ({ items: [{ description: 'x', unit_price: 1, taxes: taxes(10 + beyond) }] }),
      'items.0.description': (beyond) => ({ items: [{ ...item, description: text(2_000 + beyond) }] }),
      'items.0.unit_price': (beyond) => ({ items: [{ ...item, ...priced(beyond) }] }),
      notes: (beyond) => ({ notes: text(2_000 + beyond) }),
    },
    customers: { ...everywhere, name: (beyond) => ({ name: text(255 + beyond) }), phone: (beyond) => ({ phone: text(50 + beyond) }) },
    products: {
      ...everywhere,
      name: (beyond) => ({ name: text(255 + beyond) }),
      description: (beyond) => ({ description: text(2_000 + beyond) }),
      taxes: (beyond) => ({ taxes: taxes(10 + beyond) }),
      unit_price: priced,
    },
  };

  test.each(Object.keys(atLimits))('of %s: each item at a limit is made, each one beyond it is refused by its field', async (plural) => {
    const cases = Object.entries(atLimits[plural] ?? {});
    const requests = cases.flatMap(([, over]) => ([0, 1] as const).map((beyond) => ({ ...bodies[plural]?.(), ...over(beyond) })));
    const { data } = await batch(served, `POST /${plural}/batch` as RouteName, { body: { requests } });
    const seen = ({ status, error }: Entry) => [status, ...Object.keys(error?.details ?? {})];
    for (const [n, [field]] of cases.entries()) {
      const [at, beyond] = data.slice(2 * n) as [Entry, Entry];
      expect([field, seen(at), seen(beyond)]).toEqual([field, [201], [422, expect.stringContaining(field)]]);
    }
  });

  test('what would make the answer too large is not carried out, and says so', async () => {
    const before = Number(await total(served, 'GET /invoices'));
    const requests = range(100).map(() => ({ customer_id: customer, items: Array(500).fill({ unit_price: 1 }) }));
    const { succeeded, failed, data } = await batch(served, 'POST /invoices/batch', { body: { requests } });
    expect(failed).toBeGreaterThan(0);
    expect(new Set(data.flatMap(({ error }) => error?.code ?? []))).toEqual(new Set(['payload_too_large']));
    expect(JSON.stringify(data).length).toBeLessThan(6.15 * KIB * KIB);
    expect(await total(served, 'GET /invoices')).toBe(before + succeeded);
  });
});
