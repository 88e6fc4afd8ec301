import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { embeddedDocumentStore } from '@svc/document-store';
import { embeddedEventStore, type Checkpoint } from '@svc/event-store';
import { temporaryEngine } from '@svc/event-store/testing/temporary-engine';
import { createIds, streamOf, systemClock, type NewEvent } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { documentDeadLetters } from '../dead-letter.ts';
import { DeadLetterQueues } from '../dead-letters/queues.ts';
import type { Mark } from './mark.ts';
import type { Publisher } from './publisher.ts';
import { startLoggedRelay } from './start-logged-relay.ts';
import type { Source } from './start-relay.ts';

const { engine, remove } = temporaryEngine();
const [store, ids, clock] = [embeddedEventStore(engine, systemClock), createIds(systemClock), systemClock];
const documents = embeddedDocumentStore(engine, 'svc_invoicing');
const checkpoints = documents.collection<Checkpoint>('checkpoints');
const logger = { warn: () => undefined, error: () => undefined, info: () => undefined };
afterAll(() => remove());

const publisher: Publisher<number> = {
  category: 'invoice',
  topics: [topics.invoice],
  initialState: 0,
  evolve: (count) => count + 1,
  publish: (recorded, version) => [
    {
      topic: topics.invoice,
      type: 'invoicing.invoice-updated.v1',
      data: { version },
      entry: {
        line: version,
        type: 'updated',
        at: new Date(recorded.recordedAt).toISOString(),
        actor: { type: 'system', id: null },
        request_id: null,
      },
    },
  ],
};
const raises: Publisher<null> = {
  category: 'series',
  topics: [topics.setting, topics.series],
  initialState: null,
  evolve: () => null,
  publish: () => [
    { topic: topics.setting, type: 'audit.setting-changed.v1', data: {} },
    { topic: topics.series, type: 'invoicing.numbers-raised.v1', data: {} },
  ],
};
const source = (holder: string): Source => ({
  ...{
    source: 'invoicing',
    documents,
    publishers: [publisher as Publisher, raises as Publisher],
    history: { topic: topics.history, of: [topics.invoice], added: [topics.series] },
    marks: topics.published,
  },
  subscribing: { ...{ store, holder, clock, logger, checkpoints }, leases: documents.collection('leases') },
});

/** What a running process publishes, as topic and sequence. */
function run(holder: string, history = Promise.resolve()) {
  const seen: string[] = [];
  const marks: Mark[] = [];
  const publish = async (topic: string, events: PublicEvent[]): Promise<void> => {
    if (topic === topics.history) await history;
    seen.push(...events.map(({ sequence, entry }) => `${topic} ${sequence} ${entry ? 'with' : 'without'}`));
  };
  const closing = new AbortController();
  const deadLetters = new DeadLetterQueues({
    deadLetters: documentDeadLetters(documents),
    clock,
    logger,
    closing: closing.signal,
    publish: async () => undefined,
  } as never);
  const mark = async (_topic: string, one: Mark): Promise<void> => void marks.push(one);
  return { seen, marks, relay: startLoggedRelay(source(holder), { publish, mark, deadLetters }) };
}

let revision = -1n;
async function append(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const metadata = { v: 1, account: 'acct_1', env: 'test' } as const;
    const event: NewEvent = { id: ids.next(), type: 'InvoiceChanged', data: {}, metadata };
    ({ revision } = await store.append(streamOf('invoice', 'test', 'acct_1', 'inv_a'), revision === -1n ? 'none' : revision, [event]));
  }
}

test('what the release before has published comes once more on the history alone, and a raise on its topic, which that release did not publish; the rest on its topic, and nothing twice after a restart; no mark before all is published', async () => {
  const raise: NewEvent = { id: ids.next(), type: 'NumbersRaised', data: {}, metadata: { v: 1, account: 'acct_1', env: 'test' } };
  await store.append(streamOf('series', 'test', 'acct_1', 'INV'), 'none', [raise]);
  await append(3);
  const [third] = await store.tail(streamOf('invoice', 'test', 'acct_1', 'inv_a'), 1);
  const before = { _id: 'publishing', version: Number(third?.position) + 1, position: String(third?.position) };
  await checkpoints.insert(before); // As 0.1.0 leaves it.
  await append(2);
  const mayPublish = Promise.withResolvers<void>();
  const first = run('a', mayPublish.promise);
  await until(() => first.seen.length >= 2);
  await clock.sleep(300);
  expect(first.marks).toEqual([]); // what groups read is not whole
  mayPublish.resolve();
  await until(() => first.marks.length > 0);
  await until(() => first.seen.length === 6);
  expect(first.seen.toSorted()).toEqual([
    ...[1, 2, 3].map((n) => `invoicing.history ${n} with`),
    ...[4, 5].map((n) => `invoicing.invoice ${n} with`),
    'invoicing.series 1 without',
  ]);
  await append(1);
  await until(() => first.seen.length === 7);
  await first.relay.stop();
  await checkpoints.write([{ put: { ...before, version: 1_000, position: String(Number(third?.position) + 2) } }]); // A replica of 0.1.0 went on.
  const second = run('a');
  await append(1);
  await until(() => second.seen.length > 0);
  expect(second.seen).toEqual(['invoicing.invoice 7 with']);
  await second.relay.stop();
});
