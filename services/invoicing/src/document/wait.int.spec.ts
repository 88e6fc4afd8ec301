import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { openEventStoreDb } from '@svc/event-store/eventstoredb/open';
import { startEmulator, type Emulator } from '@svc/eventstoredb-emulator';
import { FakeClock, systemClock, type Clock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { createReceipt } from '../receipt/write.ts';
import { receipts } from '../receipt/receipts.ts';
import { receiptProcess } from '../receipt/process.ts';
import { callerOf, dataFolder, systemOn } from '../testing/open-system.ts';
import { outcomeEvent, registration } from './testing/outcomes.ts';

const body = { items: [{ description: 'Coffee', unit_price: 12 }], payment_method: 'cash' as const };
const folder = dataFolder();
const engine = Engine.open(folder.path, { durable: false });
const documents = embeddedDocumentStore(engine, 'svc_invoicing');
const opened: ReturnType<typeof openEventStoreDb>[] = [];
let emulator: Emulator;

beforeAll(async () => (emulator = await startEmulator({ file: join(folder.path, 'events.log') })));
afterAll(async () => {
  await Promise.all(opened.map(({ close }) => close()));
  await emulator.close();
  engine.close();
  folder.remove();
});

/** A process of the service, with the streams that it reads. */
function openReplica(clock: Clock = systemClock) {
  const adapter = openEventStoreDb({ url: emulator.url, namespace: '', clock: systemClock, logger: { warn: () => undefined } });
  opened.push(adapter);
  const reads: string[] = [];
  const read: typeof adapter.store.read = (...asked) => (reads.push(asked[0]), adapter.store.read(...asked));
  return { reads, ...systemOn({ documents, raw: { ...adapter.store, read } }, clock) };
}
type Replica = ReturnType<typeof openReplica>;

/** A receipt, and the request that waits for it in `replica`. */
async function waitIn(replica: Replica) {
  const identity = callerOf(replica);
  const call = { context: replica.context, identity };
  const first = await createReceipt(call, body);
  const response = Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse;
  const waited = replica.context.outcomeWaits.wait({
    ...{ stream: receipts.stream({ ...identity, id: first.id }), account: identity.account, seconds: 20, first, response },
    look: () => receipts.see(call, first.id),
    isSettled: ({ fiscal }) => fiscal?.status === 'registered',
  });
  return { id: first.id, waited };
}

const register = (replica: Replica, id: string) =>
  receiptProcess.applyOutcome(
    replica.context,
    outcomeEvent({ id: replica.ids.next(), account: callerOf(replica).account, subject: id }, 'document-registered', registration),
  );

test.each(['without subscriptions', 'with a subscription'])('a document that another replica completes ends the wait, %s', async (way) => {
  // The clock of the one that waits stands still: it reads no document again by itself.
  const [waiting, other] = [openReplica(new FakeClock(systemClock.now())), openReplica()];
  if (way === 'with a subscription') {
    let isLive = false;
    waiting.raw.subscribe('start', async ({ caughtUp }) => void (isLive ||= caughtUp));
    await until(() => isLive);
  }
  const { id, waited } = await waitIn(waiting);
  const of = () => waiting.reads.filter((stream) => stream.endsWith(id)).length;
  const before = of();
  await until(() => of() > before); // it has been read once since it waits
  const known = of();
  await register(other, id);
  expect(await waited).toMatchObject({ id, fiscal: { status: 'registered' } });
  expect(of() - known).toBe(1);
});
