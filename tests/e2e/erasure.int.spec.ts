import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { topics } from '@svc/contracts/events/envelope';
import type { Collection, CollectionOptions, Doc, DocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { documentDeadLetters } from '@svc/event-bus';
import { storeDeadLetter } from '@svc/event-bus/dead-letters/store';
import { ensureDemoAccount, type DemoAccount } from '@svc/gateway';
import { createIds, FakeClock, settleTurns } from '@svc/kernel';
import { createLogger, Health, newKeyRing, parseKeyRing } from '@svc/service';
import { composeSystem, embeddedPorts, type Ports } from '@svc/standalone/compose';
import { phrases } from '@svc/standalone/phrases';
import { startScrubbing, type Scrubbing } from '@svc/standalone/scrubbing';
import { NO_PHASES } from '@svc/webhooks-dispatcher/sending/send';

/** Ciphertexts that are bound to no row are of any. */
const ROW = { collection: 'rows', id: '1' };

const HOUR = 3_600_000;
/** All files are read. */
const LOOK_AT_DISK_MS = 10 * 60_000;
const CUSTOMERS = 40;
const ring = parseKeyRing(newKeyRing());
const clock = new FakeClock();
const logged: string[] = [];
/** Bodies that the subscriber received. */
const received: string[] = [];
let folder: string;
let engine: Engine;
let app: NestFastifyApplication;
let ports: Ports;
let scrubbing: Scrubbing;
let demo: DemoAccount;
/** Collections whose writes wait, such as `svc_webhooks.events`. */
const stuck = new Set<string>();

const withStuck = (store: DocumentStore, database: string): DocumentStore => ({
  ...store,
  collection<D extends Doc>(name: string, options?: CollectionOptions): Collection<D> {
    const all = store.collection<D>(name, options);
    const [write, claim] = [all.write.bind(all), all.claim.bind(all)];
    const free = async (): Promise<void> => {
      while (stuck.has(`${database}.${name}`)) await clock.sleep(1_000);
    };
    return Object.assign(all, {
      write: (...asked: Parameters<typeof write>) => (stuck.size === 0 ? write(...asked) : free().then(() => write(...asked))),
      claim: (...asked: Parameters<typeof claim>) => (stuck.size === 0 ? claim(...asked) : free().then(() => claim(...asked))),
    });
  },
});

async function start(): Promise<void> {
  engine = Engine.open(folder, { phrases });
  const logger = createLogger({ level: 'debug', service: 'test' }, { write: (line: string) => void logged.push(line) });
  const embedded = embeddedPorts({ engine, clock, logger });
  ports = { ...embedded, documents: (database) => withStuck(embedded.documents(database), database) };
  scrubbing = startScrubbing({ engine, clock, logger });
  const composed = await composeSystem(
    {
      ...{ clock, ids: createIds(clock), logger, health: new Health(clock), ringOf: () => ring, publicUrl: 'https://api.example' },
      ...{ simulatorUrl: 'http://localhost:1', pace: 'live', holder: 'test', erased: scrubbing.erased },
      edge: { HOSTS: new Map(), REQUIRE_HTTPS: false, TRUSTED_PROXIES: [] },
      authorityHttp: () => Promise.reject(new Error('no authority')),
      webhooks: {
        ...{ allowed: [], delays: [60_000, 60_000, 60_000, 60_000, 60_000], resolve: async () => ['93.184.216.34'] },
        /** A subscriber that fails and repeats in its reply what it received. */
        async send({ body }) {
          received.push(body.toString());
          return { status: 500, body: body.toString(), phases: NO_PHASES };
        },
      },
    },
    ports,
  );
  ({ app } = composed);
  demo = (await ensureDemoAccount(composed.gateway.accounts, { plan: 'enterprise', email: 'demo@example.com' })) ?? demo;
}
async function stop(): Promise<void> {
  await app.close();
  await scrubbing.stop();
  engine.close();
}
async function discard(): Promise<void> {
  await stop();
  rmSync(folder, { recursive: true });
}
/** What kill -9 would leave now of a folder. */
function copyOf(folder: string): string {
  const left = mkdtempSync(join(tmpdir(), 'erasure-'));
  cpSync(folder, left, { recursive: true, filter: (file) => !file.endsWith('-shm') });
  return left;
}
/** Opens the folder as kill -9 would leave it now. `stuckThen`: what is stuck in the next process. */
async function crash(stuckThen: readonly string[] = []): Promise<void> {
  const left = copyOf(folder);
  stuck.clear();
  await passed(stop());
  rmSync(folder, { recursive: true });
  folder = left;
  stuckThen.forEach((name) => stuck.add(name));
  await start();
}
/** A folder of its own. `from`: another folder that it begins as, after a kill -9. */
async function open(from?: string): Promise<void> {
  folder = from === undefined ? mkdtempSync(join(tmpdir(), 'erasure-')) : copyOf(from);
  stuck.clear();
  [logged, received].forEach((all) => all.splice(0));
  await start();
}
afterEach(discard);

/** What comes of work that needs the time to go on, and the disk. */
async function passed<T>(work: Promise<T>): Promise<T> {
  let done = false;
  void work.finally(() => (done = true)).catch(() => undefined);
  while (!done) {
    await clock.advance(50, () => settleTurns(3));
    await nextTurn();
  }
  return work;
}
async function call(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, key?: string) {
  const headers = { authorization: `Bearer ${demo.test_key}`, ...(key ? { 'idempotency-key': key } : {}) };
  const answer = await passed(app.inject({ method, url: `/v1${path}`, headers, ...(body ? { payload: body } : {}) }) as Promise<never>);
  const { statusCode: status, body: text } = answer as { statusCode: number; body: string };
  return { status, text, body: JSON.parse(text) as Record<string, string & object> };
}
async function made(path: string, body: object, key?: string): Promise<string> {
  const answer = await call('POST', path, body, key);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return String(answer.body['id']);
}
/** Some hours, in which the disk and other threads have time. */
async function wait(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 60_000) await clock.advance(60_000, () => settleTurns(3));
}
async function eventually(holds: () => boolean | Promise<boolean>, lookEvery = 60_000): Promise<void> {
  for (let n = 0; n < 200 && !(await holds()); n += 1) await wait(lookEvery);
  expect(await holds()).toBe(true);
}

/** In each personal field a word that is nowhere else; the first customer is the one with issued documents. */
const word = (field: string, n: number): string => `Wq${createHash('sha256').update(`${field} ${n}`).digest('hex').slice(0, 12)}`;
const person = (n: number) => ({
  name: word('name', n),
  email: `${word('email', n)}@${word('host', n)}.example`,
  phone: word('phone', n),
  tax_id: word('tax', n),
  tax_ids: [{ country: 'AQ', value: word('further tax', n), kind: 'other' }],
  address: {
    line1: word('line1', n),
    line2: word('line2', n),
    city: word('city', n),
    postal_code: word('post', n),
    region: word('region', n),
  },
});
const moved = (n: number) => ({
  name: word('new name', n),
  email: `${word('new email', n)}@x.example`,
  address: { city: word('new city', n) },
});
const WORD = /Wq[0-9a-f]{12}/gi;
const wordsIn = (text: string): Set<string> => new Set((text.match(WORD) ?? []).map((one) => one.toLowerCase()));
const wordsOf = (n: number): Set<string> => wordsIn(JSON.stringify([person(n), moved(n)]));

/** The customers' words in the files of the data folder. */
const onDisk = (): Set<string> =>
  wordsIn(
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('\n'),
  );
const filesOnDisk = (): Buffer[] => readdirSync(folder).map((name) => readFileSync(join(folder, name)));
/** How many of these bytes are in the files of the data folder. */
const countOnDisk = (all: readonly (string | Buffer)[]): number => {
  const files = filesOnDisk();
  return all.filter((bytes) => files.some((file) => file.includes(bytes))).length;
};
/** Ends at the first that it finds: a search for all of them costs seconds. */
const someOnDisk = (all: readonly (string | Buffer)[]): boolean => {
  const files = filesOnDisk();
  return all.some((bytes) => files.some((file) => file.includes(bytes)));
};
const keyTexts = async (ids: readonly string[]): Promise<string[]> => {
  const docs = await Promise.all(ids.map((id) => ports.documents('svc_invoicing').collection('subject_keys').get(id)));
  return docs.flatMap((doc) => (doc as { sealed?: string } | undefined)?.sealed ?? []);
};

test('after an erasure no answer shows the data, and within 24 hours no file of the data folder has them or their key', async () => {
  await open();
  await made('/webhooks', { url: 'https://hooks.example/in', events: ['customer.created', 'customer.deleted'] });
  const ids: string[] = [];
  for (let n = 0; n < CUSTOMERS; n += 1) {
    ids.push(await made('/customers', person(n), `key-${n}`));
    if (n % 2 === 0) expect((await call('PATCH', `/customers/${ids[n]}`, moved(n))).status).toBe(200);
  }
  const [named = ''] = ids;
  const draft = await made('/invoices', { customer_id: ids[1], items: [{ description: 'x', unit_price: 1 }] });
  const issued = await made('/invoices', { customer_id: named, items: [{ description: 'x', unit_price: 1 }] });
  await passed(call('POST', `/invoices/${issued}/submit`));
  const deadLetters = documentDeadLetters(ports.documents('svc_bus'));
  const context = { deadLetters, clock, logger: { error: () => undefined } as never };
  const data = { ...person(2), id: ids[2] };
  const event = { id: 'evt_x', type: 'invoicing.customer-updated.v1', subject: ids[2], source: 'invoicing', sequence: 9, data };
  await passed(
    storeDeadLetter(context, {
      group: 'webhooks-dispatcher',
      topic: topics.customer,
      event,
      origin: 'test',
      reason: 'failed',
      failure: 'x',
    }),
  );
  await eventually(() => received.filter((body) => body.includes('customer.created')).length >= CUSTOMERS);
  const texts = await passed(keyTexts(ids));
  const keys = [...texts, ...texts.map((text) => ring.decrypt(text, ROW))];
  expect([texts.length, countOnDisk(texts)]).toEqual([CUSTOMERS, CUSTOMERS]);
  expect(onDisk().size).toBeGreaterThan(CUSTOMERS * 5);

  for (const [n, id] of ids.entries()) {
    const erased = await call('POST', `/customers/${id}/erase`, {}, `erase-${n}`);
    expect([erased.status, wordsIn(erased.text).size]).toEqual([200, 0]);
  }
  const atErasure = clock.now();
  const legal = wordsOf(0);
  const shown = async (path: string): Promise<string[]> => [...wordsIn((await call('GET', path)).text)].filter((one) => !legal.has(one));
  for (const path of ['/customers?deleted=all&per_page=100', '/customers?deleted=true&sort=name', `/customers/${ids[5]}`, '/invoices'])
    expect(await shown(path)).toEqual([]);
  await eventually(async () => (await shown('/events?per_page=100')).length + (await shown('/events?per_page=100&page=2')).length === 0);
  received.length = 0; // an attempt that had begun may have sent what it had read
  const endpoint = (await call('GET', '/webhooks')).body['data'] as unknown as { id: string }[];
  const deliveries = await call('GET', `/webhooks/${endpoint[0]?.id}/deliveries?per_page=100`);
  expect([deliveries.text.includes('response_body'), wordsIn(deliveries.text).size]).toEqual([true, 0]);
  expect(wordsIn((await call('POST', '/customers', person(7), 'key-7')).text).size).toBe(0);
  expect((await call('GET', `/invoices/${issued}`)).text).toContain(word('new name', 0));
  expect((await call('GET', `/invoices/${draft}`)).body).toMatchObject({ status: 'draft', customer_id: ids[1] });
  expect((await call('POST', `/invoices/${draft}/submit`)).body['error']).toMatchObject({ details: { customer_id: [expect.any(String)] } });

  await eventually(() => [...onDisk()].every((one) => legal.has(one)), LOOK_AT_DISK_MS);
  await eventually(() => !someOnDisk(keys), LOOK_AT_DISK_MS);
  expect(clock.now() - atErasure).toBeLessThan(24 * HOUR);
  expect([wordsIn(logged.join()).size, [...wordsIn(received.join())].length]).toEqual([0, 0]);
  expect(engine.sql('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
}, 300_000);

describe('a process that is killed after the event of an erasure, before its files are scrubbed', () => {
  const all = Array.from({ length: CUSTOMERS }, (_, n) => n);
  let ids: string[];
  let keys: (string | Buffer)[];
  /** Only a scrub removes what rows leave then, as in a folder of an earlier release. */
  const keepRemains = (): unknown => engine.sql('PRAGMA secure_delete=OFF').get();
  /** The folder before the erasures, which each test has a copy of. */
  let begun: string;
  beforeAll(async () => {
    await open();
    keepRemains();
    await made('/webhooks', { url: 'https://hooks.example/in', events: ['customer.created', 'customer.deleted'] });
    ids = [];
    for (const n of all) ids.push(await made('/customers', person(n), `key-${n}`));
    await eventually(() => received.length >= CUSTOMERS);
    begun = copyOf(folder);
    const texts = await passed(keyTexts(ids));
    keys = [...texts, ...texts.map((text) => ring.decrypt(text, ROW))];
    await discard();
  }, 300_000);
  afterAll(() => rmSync(begun, { recursive: true }));
  beforeEach(async () => {
    await open(begun);
    keepRemains();
    expect([onDisk().size > CUSTOMERS * 5, countOnDisk(keys)]).toEqual([true, CUSTOMERS]);
  });
  /** All at once. Returns the statuses. */
  const erase = async (): Promise<number[]> => {
    const headers = { authorization: `Bearer ${demo.test_key}` };
    const ask = (id: string) => app.inject({ method: 'POST', url: `/v1/customers/${id}/erase`, headers });
    return (await passed(Promise.all(ids.map(ask)))).map(({ statusCode }) => statusCode);
  };
  /** Until the work that destroys keys has done with the erasures, so that the next process does not begin them anew. */
  const handled = async (): Promise<void> => {
    const head = await ports.eventStore.head();
    const checkpoints = ports.documents('svc_invoicing').collection<Doc & { position: string }>('checkpoints');
    await eventually(async () => BigInt((await passed(checkpoints.get('erasing')))?.position ?? 0) >= head);
  };
  /** Within 24 hours of the erasure. */
  const becomesClean = async (since: number): Promise<void> => {
    while ((onDisk().size > 0 || someOnDisk(keys)) && clock.now() - since < 23 * HOUR) await wait(LOOK_AT_DISK_MS);
    expect([[...onDisk()], countOnDisk(keys)]).toEqual([[], 0]);
    expect(wordsIn((await call('GET', '/customers?deleted=all&per_page=100')).text).size).toBe(0);
    expect(engine.sql('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  };

  test('before a key is destroyed: the next process destroys the keys, and scrubs', async () => {
    stuck.add('svc_invoicing.subject_keys');
    const at = clock.now();
    const answers = erase();
    await eventually(async () => (await call('GET', '/customers?deleted=true')).text.includes(`"total":${CUSTOMERS}`));
    await Promise.all([answers, crash()]);
    expect(countOnDisk(keys)).toBeGreaterThanOrEqual(CUSTOMERS);
    await becomesClean(at);
  }, 300_000);

  test('after its answer: the next process scrubs soon after its start', async () => {
    const at = clock.now();
    expect(new Set(await erase())).toEqual(new Set([200]));
    await handled();
    await crash();
    expect(onDisk().size).toBeGreaterThan(0);
    await becomesClean(at);
  }, 300_000);

  test('and whose webhook events are erased later than the first scrub: the next process scrubs again', async () => {
    stuck.add('svc_webhooks.events');
    const at = clock.now();
    await erase();
    await handled();
    await crash(['svc_webhooks.events']);
    keepRemains();
    await wait(2 * HOUR);
    expect(onDisk().size).toBeGreaterThan(0);
    stuck.clear();
    await becomesClean(at);
  }, 300_000);
});
