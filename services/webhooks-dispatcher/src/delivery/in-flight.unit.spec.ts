import { storedEvent, type StoredEvent } from '../event/event.ts';
import { createInFlight } from './in-flight.ts';
import { customerCreated } from './testing/rows.ts';

const event = storedEvent({ event: customerCreated, type: 'customer.created' });

test('reads an event once for all concurrent users, as bytes, and again for later ones', async () => {
  const reads: string[] = [];
  const get = async (id: string): Promise<StoredEvent> => (reads.push(id), event);
  const inFlight = createInFlight({ get });
  const released = Promise.withResolvers<void>();
  const used = [1, 2, 3].map(() => inFlight.use(event._id, async (_, body) => (await released.promise, body)));
  released.resolve();
  const [first, ...others] = await Promise.all(used);
  expect(first?.toString()).toBe(event.body);
  for (const other of others) expect(other).toBe(first);
  expect(reads).toHaveLength(1);
  await inFlight.use(event._id, async () => undefined);
  expect(reads).toHaveLength(2);
});

test('rejects for all users of a missing event, and reads it again for the next', async () => {
  let there = false;
  const inFlight = createInFlight({ get: async () => (there ? event : undefined) });
  const ended = await Promise.allSettled([1, 2].map(() => inFlight.use(event._id, async () => 'used')));
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  there = true;
  expect(await inFlight.use(event._id, async () => 'used')).toBe('used');
});
