import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { publishedEvents, type PublishedEvents } from '@svc/event-bus/publishing/published-events';
import type { Publisher } from '@svc/event-bus/publishing/publisher';
import { prefixed, type NewEvent, type Streams, type Turn } from '@svc/kernel';
import { customerPublisher } from '../customer/publish.ts';
import { createCustomer, deleteCustomer, updateCustomer } from '../customer/write.ts';
import { callerOf, dataFolder, openSystem, type System } from '../testing/open-system.ts';

interface Thing {
  revision: number;
  texts: string[];
}

/** Keeps what all its events hold, and publishes how much that is. */
const things: Publisher<Thing> = {
  category: 'thing',
  topics: [topics.registration, topics.invoice],
  initialState: { revision: -1, texts: [] },
  evolve: ({ texts }, { revision, data }) => ({ revision: Number(revision), texts: [...texts, (data as { text: string }).text] }),
  publish: (_, { revision, texts }) => [
    { topic: topics.registration, type: 'invoicing.registration-requested.v1', data: {} },
    { topic: topics.invoice, type: 'invoicing.invoice-updated.v1', data: { revision, texts: texts.length } },
  ],
};

const tenant = { account: 'acct_1', env: 'test' } as const;
const folder = dataFolder();
let system: System;
let reads: bigint[];
let turns: number[];
let find: PublishedEvents;
beforeAll(() => {
  system = openSystem(folder.path);
  const read: Streams['read'] = (stream, from = 0n, ...rest) => (reads.push(from), system.store.read(stream, from, ...rest));
  find = publishedEvents({ source: 'invoicing', store: { read }, publishers: [things, customerPublisher] });
});
beforeEach(() => ([reads, turns] = [[], []]));
afterAll(() => {
  system.engine.close();
  folder.remove();
});

const turn: Turn = async (bytes) => void turns.push(bytes);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
/** What is found of these events of a thing: their revisions. */
async function found(subject: string, sequences: ReadonlyMap<string, number>) {
  const { events, bytes } = await find({ category: 'thing', ...tenant, subject, sequences }, turn);
  return { revisions: [...events.values()].map((make) => (make().data as Thing).revision), bytes };
}
/** Stores a thing with events of this size. Returns their ids with their sequences. */
async function store(subject: string, events: number, size: number): Promise<[string, number][]> {
  const made = Array.from({ length: events }, (): NewEvent => ({
    ...{ id: system.ids.next(), type: 'Happened' },
    ...{ data: { text: 'x'.repeat(size) }, metadata: { v: 1, ...tenant } },
  }));
  for (const [n, event] of made.entries())
    await system.store.append(`thing-test.acct_1.${subject}`, n === 0 ? 'none' : BigInt(n - 1), [event]);
  return made.map(({ id }, n) => [prefixed('evt', id), n + 1]);
}

test('each event is made with the state after it, whatever was stored later', async () => {
  const all = await store('thing_1', 9, 10);
  const { events } = await find(
    { category: 'thing', ...tenant, subject: 'thing_1', sequences: new Map([all[1], all[4]] as typeof all) },
    turn,
  );
  expect([...events.keys()]).toEqual([all[1]?.[0], all[4]?.[0]]);
  expect(events.get(all[4]?.[0] ?? '')?.()).toMatchObject({
    id: all[4]?.[0],
    type: 'invoicing.invoice-updated.v1',
    data: { revision: 4, texts: 5 },
  });
});

test('a stream is read once for all of its events, in turns, and no further than the last of them', async () => {
  const all = await store('thing_2', 30, 20_000);
  const { revisions } = await found('thing_2', new Map(all.slice(5, 20)));
  expect(revisions).toEqual(all.slice(5, 20).map((_, n) => n + 5));
  expect(new Set(reads).size).toBe(reads.length);
  expect(turns.length).toBe(reads.length);
  expect(Math.max(...turns)).toBeLessThan(100_000);
  expect(sum(turns)).toBeLessThan(26 * 20_000);
});

test('of events that take much memory the last are found, and the others when they are asked for again', async () => {
  const all = await store('thing_3', 10, 200_000);
  const first = await found('thing_3', new Map(all));
  expect(first.revisions).toEqual([7, 8, 9]);
  expect(first.bytes).toBeLessThan(1_600_000);
  expect((await found('thing_3', new Map(all.slice(0, 7)))).revisions).toEqual([4, 5, 6]);
});

test('what the stream or this release does not have is not found', async () => {
  const [one] = await store('thing_4', 1, 10);
  const unknown = prefixed('evt', system.ids.next());
  expect((await found('thing_4', new Map([one as [string, number], [unknown, 2]]))).revisions).toEqual([0]);
  expect((await found('thing_none', new Map([[unknown, 1]]))).revisions).toEqual([]);
  const other = await find({ category: 'other', ...tenant, subject: 'thing_4', sequences: new Map([one as [string, number]]) }, turn);
  expect(other.events.size).toBe(0);
});

test('of a customer no change before the first event is read', async () => {
  const writing = () => ({ context: system.context, customers: system.customers, identity: callerOf(system, 'acct_1') });
  const { id } = await createCustomer(writing(), { name: 'Ada' });
  for (let n = 0; n < 60; n += 1) await updateCustomer(writing(), { id, ifMatch: undefined, body: { phone: String(n) } });
  await deleteCustomer(writing(), { id, ifMatch: undefined });
  const stored = (await system.store.read(`customer-test.acct_1.${id}`)).slice(50, 53);
  const sequences = new Map(stored.map((event) => [prefixed('evt', event.id), Number(event.revision) + 1]));
  const { events } = await find({ category: 'customer', ...tenant, subject: id, sequences }, turn);
  const shown = [...events.values()].map((make): PublicEvent => make());
  expect(shown.map(({ sequence, data }) => [sequence, data])).toMatchObject([
    [51, { name: 'Ada', phone: '49', version: 51 }],
    [52, { phone: '50' }],
    [53, { phone: '51' }],
  ]);
  expect(reads.every((from) => from >= 50n)).toBe(true);
});
