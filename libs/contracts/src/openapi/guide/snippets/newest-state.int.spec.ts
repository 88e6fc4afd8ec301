import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { newestState } from './snippet.ts';

interface Event {
  id: string;
  sequence: number;
  state: string;
}

/** What a receiver has after these events, and for each of them whether it changed anything. */
function copiesAfter(events: readonly Event[]): { copies: object[]; changed: boolean[] } {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE copies (id TEXT PRIMARY KEY, sequence INTEGER NOT NULL, state TEXT NOT NULL)');
  const store = db.prepare(newestState);
  const changed = events.map(({ id, sequence, state }) => Number(store.run({ id, sequence, state }).changes) > 0);
  const copies = db.prepare('SELECT * FROM copies ORDER BY id').all();
  db.close();
  return { copies: copies.map((row) => ({ ...row })), changed };
}

const deleted = { id: 'cust_1', sequence: 5, state: '{"deleted_at":"2026-03-01T10:00:00.000Z"}' };
const events: Event[] = [
  { id: 'inv_1', sequence: 1, state: 'draft' },
  { id: 'inv_1', sequence: 3, state: 'submitted' },
  { id: 'inv_1', sequence: 12, state: 'voided' },
  { id: 'cust_1', sequence: 4, state: '{}' },
  deleted,
];

test('in whatever order and how often events come, the newest state stays, and what is deleted does not come back', () => {
  const deliveries = fc.shuffledSubarray([...events, ...events], { minLength: 2 * events.length });
  fc.assert(
    fc.property(deliveries, (sent) => {
      expect(copiesAfter(sent).copies).toEqual([deleted, { id: 'inv_1', sequence: 12, state: 'voided' }]);
    }),
  );
});

test('a stale or repeated event changes nothing', () => {
  const [first, second] = events as [Event, Event];
  expect(copiesAfter([second, first, second]).changed).toEqual([true, false, false]);
});
