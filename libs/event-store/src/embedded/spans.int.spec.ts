import { keepSpans } from '@svc/document-store/testing/traced';
import { createIds, systemClock } from '@svc/kernel';
import { temporaryEngine } from '../testing/temporary-engine.ts';
import { embeddedEventStore } from './embedded-event-store.ts';

const { inRequest, spans } = keepSpans();

test("reads and appends of a request are spans of the embedded engine, without the stream's id", async () => {
  const { engine, remove } = temporaryEngine();
  const store = embeddedEventStore(engine, systemClock);
  const id = createIds(systemClock).next();
  const event = { id, type: 'Happened', data: {}, metadata: { v: 1, account: 'acct_1', env: 'test' as const } };
  await inRequest(async () => {
    await store.append('invoice-test.acct_1.a', 'none', [event]);
    await store.read('invoice-test.acct_1.a');
  });
  await store.read('invoice-test.acct_1.a');
  const of = (operation: string) => ({
    name: `${operation} invoice`,
    attributes: {
      'db.system.name': 'sqlite',
      'db.operation.name': operation,
      'db.collection.name': 'invoice',
      'db.namespace': 'events',
    },
  });
  expect(spans().map(({ name, attributes }) => ({ name, attributes }))).toEqual([of('INSERT'), of('SELECT')]);
  remove();
});
