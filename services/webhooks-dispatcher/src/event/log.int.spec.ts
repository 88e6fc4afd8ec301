import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { rowsOn, shopEndpoint } from '../delivery/testing/rows.ts';
import type { Events } from './event.ts';
import { eventLogSuite } from './log.suite.ts';
import { eventOf, logSystem } from './testing/log-system.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-'));
let engine: Engine;
let system: ReturnType<typeof logSystem>;
beforeEach(() => {
  engine = Engine.open(mkdtempSync(join(folder, 'data-')), { durable: false });
  system = logSystem(rowsOn(engine));
});
afterEach(() => engine.close());
afterAll(() => rmSync(folder, { recursive: true }));

const ids = (...numbers: number[]): string[] => numbers.map((n) => eventOf(n).id);

test('events are followed in the order in which they were stored, whatever their ids', async () => {
  const handle = system.dispatcher();
  await handle(eventOf(5), eventOf(9));
  await handle(eventOf(2), eventOf(7));
  expect(await system.idsAfter(eventOf(5).id)).toEqual(ids(9, 2, 7));
  expect(await system.idsAfter(eventOf(9).id)).toEqual(ids(2, 7));
  expect(await system.idsAfter(eventOf(7).id)).toEqual([]);
});

test('the list is in the reverse of that order, with filters too', async () => {
  const handle = system.dispatcher();
  await handle(eventOf(5), eventOf(9), { ...eventOf(8), time: '2026-01-14T12:00:00.000Z' });
  await handle(eventOf(2), { ...eventOf(7), subject: 'cust_2' }, eventOf(1), eventOf(6));
  expect(await system.idsListed()).toEqual(ids(6, 1, 7, 2, 8, 9, 5));
  expect(await system.idsListed({ type: ['customer.created'] })).toEqual(ids(6, 1, 7, 2, 8, 9, 5));
  expect(await system.idsListed({ resource_id: ['cust_1'] })).toEqual(ids(6, 1, 2, 8, 9, 5));
  expect(await system.idsListed({ resource_id: ['cust_2', 'cust_1'] })).toEqual(ids(6, 1, 7, 2, 8, 9, 5));
  expect(await system.idsListed({ created_from: '2026-01-15' })).toEqual(ids(6, 1, 7, 2, 9, 5));
});

test('the pages after an event are found by their links', async () => {
  const handle = system.dispatcher();
  await handle(...[0, 1, 2, 3, 4, 5].map(eventOf));
  const { data, meta, links } = await system.followed(eventOf(0).id, { per_page: 2 });
  expect(data.map(({ id }) => id)).toEqual(ids(1, 2));
  expect(meta).toEqual({ current_page: 1, per_page: 2, total: 5, last_page: 3 });
  const link = (n: number): string => `https://x/v1/events?after=${eventOf(n).id}`;
  expect(links).toEqual({ first: link(0), prev: null, next: link(2), last: link(4) });
  const last = await system.followed(eventOf(4).id, { per_page: 2 });
  expect(last).toMatchObject({ data: [{ id: eventOf(5).id }], links: { next: null, last: link(4) } });
});

test('an event that is handled again keeps its place', async () => {
  const handle = system.dispatcher();
  await handle(eventOf(1), eventOf(2));
  await system.rows.endpoints.insert(shopEndpoint());
  await handle(eventOf(2), eventOf(3), eventOf(3), eventOf(4));
  expect(await system.idsAfter(eventOf(1).id)).toEqual(ids(2, 3, 4));
  const positions = (await Array.fromAsync(system.rows.events.find({}))).map(({ log_position }) => log_position);
  expect(positions.toSorted()).toEqual([1, 2, 3, 4]);
});

test.each([
  ['page', { page: 2 }],
  ['after', { after: 'evt_01jqz5rk4e7999999999999999' }],
])('a wrong %s is refused with what to do', async (parameter, query) => {
  await system.dispatcher()(eventOf(1));
  await expect(system.followed(eventOf(1).id, query)).rejects.toMatchObject({
    code: 'invalid_request',
    details: { [parameter]: [expect.any(String)] },
  });
});

test('nobody follows from an event of another account or environment', async () => {
  await system.dispatcher()({ ...eventOf(1), env: 'live' }, { ...eventOf(2), account: 'acct_2' });
  for (const n of [1, 2]) await expect(system.followed(eventOf(n).id)).rejects.toMatchObject({ code: 'invalid_request' });
});

describe('until 0.3: events that release 0.1.0 has stored', () => {
  test('come first, in their order, and can be followed from', async () => {
    await system.storeAsBefore(eventOf(3), eventOf(4));
    await system.dispatcher()(eventOf(1), eventOf(4));
    expect(await system.idsAfter(eventOf(3).id)).toEqual(ids(4, 1));
  });

  test('come behind what was read, when a replica of it runs beside', async () => {
    const handle = system.dispatcher();
    await handle(eventOf(5));
    expect(await system.idsAfter(eventOf(5).id)).toEqual([]);
    await system.storeAsBefore(eventOf(1));
    await handle(eventOf(6));
    expect((await system.idsAfter(eventOf(5).id)).toSorted()).toEqual(ids(1, 6));
    await system.storeAsBefore(eventOf(2));
    expect((await system.idsAfter(eventOf(5).id)).at(-1)).toBe(eventOf(2).id);
  });

  test('are listed as the newest, each once, until they have their positions', async () => {
    const handle = system.dispatcher();
    await handle(eventOf(5), eventOf(3), eventOf(9));
    await system.storeAsBefore(eventOf(4), eventOf(1), eventOf(7), eventOf(8));
    for (const per_page of [1, 2, 3, 4, 100]) {
      expect(await system.idsListed({ per_page })).toEqual(ids(8, 7, 1, 4, 9, 3, 5));
      for (const filter of [
        { type: ['customer.created'], created_from: '2026-01-15' },
        { type: ['customer.created', 'customer.updated'] },
        { resource_id: ['cust_1', 'cust_2'] },
      ])
        expect(await system.idsListed({ per_page, ...filter })).toEqual(ids(8, 7, 1, 4, 9, 3, 5));
    }
    await handle(eventOf(2));
    expect(await system.idsListed()).toEqual(ids(2, 8, 7, 1, 4, 9, 3, 5));
  });

  test('leave no gap where a replica of it stores the same event meanwhile', async () => {
    const write: Events['write'] = async (ops) => (await system.storeAsBefore(eventOf(1)), system.rows.events.write(ops));
    await system.dispatcher({ events: { ...system.rows.events, write } })(eventOf(1), eventOf(2));
    const positions = (await Array.fromAsync(system.rows.events.find({}))).map(({ _id, log_position }) => [_id, log_position]);
    expect(positions).toEqual([
      [eventOf(1).id, 1],
      [eventOf(2).id, 2],
    ]);
  });

  test('keep new ones behind them, until they all have a place', async () => {
    await system.storeAsBefore(...Array.from({ length: 250 }, (_, n) => eventOf(n + 10)));
    await system.dispatcher()(eventOf(1));
    const seen: string[] = [];
    for (let at: string[] = [eventOf(10).id]; at.length > 0; seen.push(...at))
      at = await system.idsAfter(seen.at(-1) ?? eventOf(10).id, { per_page: 100 });
    expect(seen).toHaveLength(250);
    expect(seen.at(-1)).toBe(eventOf(1).id);
  });
});

eventLogSuite('embedded', async () => ({ documents: embeddedDocumentStore(engine, 'svc_webhooks'), close: async () => undefined }));
