import { eventRow, type EventRow } from '../event/event.ts';
import { createBodies } from './bodies.ts';
import { customerCreated } from './testing/rows.ts';

const event = eventRow(customerCreated, 'customer.created');

test('reads an event once for all concurrent users, as bytes, and again for later ones', async () => {
  const reads: string[] = [];
  const get = async (id: string): Promise<EventRow> => (reads.push(id), event);
  const bodies = createBodies({ get });
  const released = Promise.withResolvers<void>();
  const used = [1, 2, 3].map(() => bodies.use(event._id, async (_, body) => (await released.promise, body)));
  released.resolve();
  const [first, ...others] = await Promise.all(used);
  expect(first?.toString()).toBe(event.body);
  for (const other of others) expect(other).toBe(first);
  expect(reads).toHaveLength(1);
  await bodies.use(event._id, async () => undefined);
  expect(reads).toHaveLength(2);
});

test('rejects for all users of a missing event, and reads it again for the next', async () => {
  let there = false;
  const bodies = createBodies({ get: async () => (there ? event : undefined) });
  const ended = await Promise.allSettled([1, 2].map(() => bodies.use(event._id, async () => 'used')));
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  there = true;
  expect(await bodies.use(event._id, async () => 'used')).toBe('used');
});
