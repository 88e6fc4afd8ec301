import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { rowOf, type Projection, type Row } from '@svc/event-store';
import { createMatches } from '@svc/event-store/projection/matches';
import { listProjection } from './list-projection.ts';
import { wholeOf } from './testing/whole.ts';

interface ThingRow extends Row {
  colour: string;
}
const projection: Projection<ThingRow> = {
  ...{ name: 'things_v1', category: 'thing', ordinals: true, initialState: null, indexes: [] },
  evolve: () => null,
  row: (_state, recorded) => ({ ...rowOf(recorded), created_at: '', colour: '' }),
  resource: () => ({}),
};
const tenant = { account: 'acct_1', env: 'test' } as const;
const SIZE = 10_000;
/** Ordinals between two rows of a filter: a page looks through more of them than it reads at once. */
const GAP = 7_000;
const ROWS = 60;
/** Bytes of a row: some pages are sent in one piece, others have rows that are read by their ids, after rows that were not. */
const sizes = [10, 40_000, 100, 9_000, 25_000, 10, 10];

const folder = mkdtempSync(join(tmpdir(), 'lists-'));
const engine = Engine.open(folder, { durable: false });
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});
const rows = embeddedDocumentStore(engine, 'svc_test').collection<ThingRow>('things_v1', {
  indexes: [{ fields: ['account', 'env', 'ordinal'], unique: true }, { fields: ['account', 'env', 'colour', 'ordinal'] }],
  texts: ['resource'],
});
const matches = createMatches<ThingRow>(rows, { size: SIZE, now: () => undefined, since: () => undefined });
const ids = Array.from({ length: ROWS }, (_, n) => `thing_${n}`);
beforeAll(() =>
  rows.write(
    ids.map((_id, n) => {
      const resource = JSON.stringify({ id: _id, text: 'x'.repeat(sizes[n % sizes.length] as number) });
      return {
        insert: { ...tenant, _id, version: 1, ordinal: n * GAP + 1, colour: n % 4 === 0 ? 'blue' : 'red', created_at: '', resource },
      };
    }),
  ),
);

test('pages of a filter whose rows lie in many blocks hold each row once, in the order of the list', async () => {
  const query = fc.record({
    per_page: fc.integer({ min: 1, max: ROWS }),
    sort: fc.constantFrom('created_at', '-created_at'),
    colour: fc.constantFrom('red', 'blue'),
  });
  await fc.assert(
    fc.asyncProperty(query, async ({ per_page, sort, colour }) => {
      const found: string[] = [];
      const wanted = ids.filter((_, n) => (colour === 'blue') === (n % 4 === 0));
      for (let page = 1; page <= Math.ceil(wanted.length / per_page); page += 1) {
        const request = { identity: tenant, query: { page, per_page, sort }, url: '/v1/things' } as never;
        const running = { projection, rows, matches, asOf: async () => undefined };
        const list = await listProjection({ running, publicUrl: 'https://x', request, filter: { colour }, orders: {} });
        const { data, meta } = await wholeOf<{ id: string }>(list);
        expect([meta.total, data.length]).toEqual([wanted.length, Math.min(per_page, wanted.length - found.length)]);
        found.push(...data.map(({ id }) => id));
      }
      expect(found).toEqual(sort === 'created_at' ? wanted : wanted.toReversed());
    }),
    { numRuns: 60 },
  );
});
