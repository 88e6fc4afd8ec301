import type { EventResource } from '@svc/contracts/webhook/event';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { PublishedEvents } from '@svc/event-bus/publishing/published-events';
import { soon, textOf } from '@svc/kernel';
import { customerCreated } from '../delivery/testing/rows.ts';
import { bodiesFromStreams } from './bodies-from-streams.ts';
import { storedEvent } from './event.ts';

const MIB = 1024 * 1024;
const RESOURCES = ['cust_1', 'cust_2', 'cust_3'];

/** Three events each of three resources, newest first and interleaved. */
const events = Array.from({ length: 9 }, (_, n): PublicEvent => {
  const sequence = 3 - Math.floor(n / 3);
  return {
    ...customerCreated,
    id: `evt_01jqz5rk4e700000000000000${9 - n}`,
    subject: RESOURCES[n % 3] ?? '',
    sequence,
    data: { version: sequence },
  };
});

/** Finds at most this many events at once, those with the highest sequences, which take so much memory. */
function finds({ most = Infinity, bytes = 1_000 }: { most?: number; bytes?: number } = {}) {
  const asked: string[] = [];
  const published: PublishedEvents = async ({ category, subject, sequences }) => {
    asked.push(`${category} ${subject} ${[...sequences.values()].join()}`);
    const found = events.filter(({ id }) => sequences.has(id)).toSorted((a, b) => b.sequence - a.sequence);
    return { events: new Map(found.slice(0, most).map((event) => [event.id, () => event])), bytes };
  };
  return { asked, bodies: bodiesFromStreams(published) };
}

const eventsOf = async (shown: AsyncIterable<unknown>): Promise<EventResource[]> =>
  (await Array.fromAsync(shown)).map((one) => JSON.parse(textOf(one)) as EventResource);

const rowsOf = ({ bodies }: ReturnType<typeof finds>) => events.map((event) => bodies.undelivered({ event, type: 'customer.updated' }));

test('a page asks once for all events of a resource, and shows them in its order', async () => {
  const found = finds();
  const shown = await eventsOf(found.bodies.shown(rowsOf(found), soon));
  expect(shown.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  expect(shown[0]).toMatchObject({ object: 'event', type: 'customer.updated', sequence: 3, data: { version: 3 } });
  expect(found.asked).toEqual(RESOURCES.map((id) => `customer ${id} 3,2,1`));
});

test('events that were not found at once are asked for when it is their turn', async () => {
  const found = finds({ most: 2 });
  const shown = await eventsOf(found.bodies.shown(rowsOf(found), soon));
  expect(shown.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  expect(found.asked).toEqual([...RESOURCES.map((id) => `customer ${id} 3,2,1`), ...RESOURCES.map((id) => `customer ${id} 1`)]);
});

test('no event is lost on a page whose order is not that of the sequences', async () => {
  const found = finds({ most: 1 });
  const shown = await eventsOf(found.bodies.shown(rowsOf(found).toReversed(), soon));
  expect(shown.map(({ id }) => id)).toEqual(events.toReversed().map(({ id }) => id));
});

test('what takes much memory is kept of one resource alone', async () => {
  const found = finds({ bytes: 2 * MIB });
  const shown = await eventsOf(found.bodies.shown(rowsOf(found), soon));
  expect(shown.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  expect(found.asked).toHaveLength(9);
  const [first, ...others] = rowsOf(found).filter(({ resource_id }) => resource_id === RESOURCES[0]);
  await Array.fromAsync(found.bodies.shown([first, ...others] as never, soon));
  expect(found.asked).toHaveLength(10);
});

test('an event that is not found is omitted; a stored one is shown as it is stored', async () => {
  const found = finds({ most: 0 });
  const [event] = events as [PublicEvent];
  const row = storedEvent({ event, type: 'customer.created' });
  const shown = await eventsOf(found.bodies.shown([...rowsOf(found), row], soon));
  expect(shown).toEqual([expect.objectContaining({ id: event.id, type: 'customer.created' })]);
});
