import { eventRow, type EventRow } from '../event/event.ts';
import { createBodies } from './bodies.ts';
import { customerCreated } from './testing/rows.ts';

const event = eventRow(customerCreated, 'customer.created');

test('an event is read once for all who use it at a time, as the bytes of its body, and again for the next', async () => {
  const reads: string[] = [];
  const get = async (id: string): Promise<EventRow> => (reads.push(id), event);
  const bodies = createBodies({ get });
  const gate = Promise.withResolvers<void>();
  const used = [1, 2, 3].map(() => bodies.use(event._id, async (_, body) => (await gate.promise, body)));
  gate.resolve();
  const [first, ...others] = await Promise.all(used);
  expect(first?.toString()).toBe(event.body);
  for (const other of others) expect(other).toBe(first);
  expect(reads).toHaveLength(1);
  await bodies.use(event._id, async () => undefined);
  expect(reads).toHaveLength(2);
});

test('an event that is not there is refused to all who ask, and asked for again', async () => {
  let there = false;
  const bodies = createBodies({ get: async () => (there ? event : undefined) });
  const ended = await Promise.allSettled([1, 2].map(() => bodies.use(event._id, async () => 'used')));
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  there = true;
  expect(await bodies.use(event._id, async () => 'used')).toBe('used');
});
