import { storedEvent, type StoredEvent } from '../event/event.ts';
import { createInFlight } from './in-flight.ts';
import { customerCreated } from './testing/rows.ts';

const event = storedEvent({ event: customerCreated, type: 'customer.created' });

test('reads an event once for all concurrent users, as bytes, and again for later ones', async () => {
  const reads: string[] = [];
  const get = async (id: string): Promise<StoredEvent> => (reads.push(id), event);
  const inFlight = createInFlight({ get });
  const released = Promise.withResolvers<void>();
  const used = [1, 2, 3].map(() => inFlight.use(event._id, async ({ body }) => (await released.promise, body)));
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

describe('an event that is kept as it is stored', () => {
  const MIB = 1024 * 1024;
  const invoice = (n: number, body = 'body'): StoredEvent => ({ ...event, _id: `evt_${n}`, subject: null, body });
  let reads: string[];
  const get = async (id: string): Promise<StoredEvent> => (reads.push(id), { ...event, _id: id, body: 'read' });
  const bodyOf = (inFlight: ReturnType<typeof createInFlight>, id: string): Promise<string> =>
    inFlight.use(id, async ({ body }) => body.toString());
  beforeEach(() => void (reads = []));

  test('is not read for its first use, and read for later ones', async () => {
    const inFlight = createInFlight({ get });
    inFlight.keep(invoice(1));
    expect([await bodyOf(inFlight, 'evt_1'), await bodyOf(inFlight, 'evt_1')]).toEqual(['body', 'read']);
    expect(reads).toEqual(['evt_1']);
  });

  test('is read when it holds personal data, which may have been erased since', async () => {
    const inFlight = createInFlight({ get });
    inFlight.keep({ ...invoice(1), subject: 'cust_1' });
    expect(await bodyOf(inFlight, 'evt_1')).toBe('read');
  });

  test('is read when 8 MiB of later ones were kept', async () => {
    const inFlight = createInFlight({ get });
    for (let n = 0; n < 10; n += 1) inFlight.keep(invoice(n, 'x'.repeat(MIB)));
    for (let n = 0; n < 10; n += 1) await bodyOf(inFlight, `evt_${n}`);
    expect(reads).toEqual(['evt_0', 'evt_1', 'evt_2']);
  });
});
