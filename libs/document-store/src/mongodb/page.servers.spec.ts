import type { Collection, Doc } from '../port.ts';
import { faultyConnection, type FaultyConnection } from '../testing/faulty-connection.ts';
import { takeNamespaces } from '../testing/namespace.ts';
import { type OpenMongo, openMongo } from './open.ts';

interface Row extends Doc {
  rank: number;
  text: string;
}

const KIB = 1024;
const LARGE = 600 * KIB;
const { url, next, drop } = takeNamespaces();
afterAll(drop);

let way: FaultyConnection;
let mongo: OpenMongo;
let rows: Collection<Row>;
beforeEach(async () => {
  way = await faultyConnection(url);
  mongo = openMongo({ url: way.url, namespace: next(), logger: console });
  rows = mongo.database('svc_test').collection<Row>('rows', { indexes: [{ fields: ['rank'] }] });
});
afterEach(async () => {
  await mongo.close();
  await way.close();
});

/** Four small documents followed by 16 large ones. */
const ids = Array.from({ length: 20 }, (_, n) => `r${n + 10}`);
const putSmallBeforeLarge = async (): Promise<void> => {
  for (const [rank, _id] of ids.entries()) await rows.write([{ put: { _id, version: 1, rank, text: 'x'.repeat(rank < 4 ? 100 : LARGE) } }]);
};
const READS = new Set(['find', 'getMore', 'killCursors']);

test('a page reads at most three documents beyond the one that does not fit, and leaves no cursor open', async () => {
  await putSmallBeforeLarge();
  const [before, asked] = [way.received(), way.commands.length];
  const { docs, left } = await rows.page({}, { sort: { rank: 1 }, limit: 20 }, 64 * KIB);
  expect([docs.map(({ _id }) => _id), left]).toEqual([ids.slice(0, 4), ids.slice(4)]);
  expect(way.received() - before).toBeLessThan(4.5 * LARGE);
  const reads = way.commands.slice(asked).filter((name) => READS.has(name));
  expect(reads).toEqual(['find', 'getMore', 'killCursors', 'find']);
});

test('a chunk reads at most three documents beyond the one that does not fit, whatever the sizes before', async () => {
  await putSmallBeforeLarge();
  let before = way.received();
  const read: string[] = [];
  for await (const chunk of rows.read(ids, {}, 1024 * KIB)) {
    read.push(...chunk.map(({ _id }) => _id));
    expect(way.received() - before).toBeLessThan(4.5 * LARGE);
    before = way.received();
  }
  expect(read).toEqual(ids);
});
