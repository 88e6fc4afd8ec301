import type { Doc } from '../port.ts';
import { keepSpans } from '../testing/traced.ts';
import { takeNamespaces } from '../testing/namespace.ts';
import { openMongo } from './open.ts';

const { url, next, drop } = takeNamespaces();
afterAll(drop);
const { inRequest, spans } = keepSpans();
const all = async <T>(found: AsyncIterable<T>): Promise<void> => {
  for await (const _ of found);
};

test('each operation of a request is a span of MongoDB, named by command and collection', async () => {
  const namespace = next();
  const mongo = openMongo({ url, namespace, logger: console });
  const rows = mongo.database('svc_test').collection<Doc & { key: string }>('rows', { indexes: [{ fields: ['key'] }] });
  expect(await mongo.check()).toBe(true);
  const calls: [string[], () => Promise<unknown>][] = [
    [['insert'], () => rows.insert({ _id: 'id_1', version: 1, key: 'secret' })],
    [['find'], () => rows.get('id_1')],
    [['find'], () => all(rows.find({ key: 'secret' }, { limit: 10 }))],
    [['aggregate'], () => rows.count({ key: 'secret' })],
    [['find'], () => rows.highest('key', {})],
    [['findAndModify'], () => rows.claim({ _id: 'id_1', version: 1 }, { set: { key: 'other' } })],
    [['find', 'bulkWrite', 'find'], () => rows.claim({ key: 'other' }, { set: { key: 'secret' } })],
    [['bulkWrite'], () => rows.write([{ delete: 'id_1' }])],
  ];
  for (const [expected, call] of calls) {
    const before = spans().length;
    await inRequest(call);
    const names = spans()
      .slice(before)
      .map(({ name }) => name);
    // A stream sends another request to see that it has ended.
    expect(names.filter((name) => name !== 'getMore rows')).toEqual(expected.map((command) => `${command} rows`));
  }
  const { hostname, port } = new URL(url);
  expect(spans()[0]?.attributes).toEqual({
    'db.system.name': 'mongodb',
    'db.operation.name': 'insert',
    'db.collection.name': 'rows',
    'db.namespace': `${namespace}_svc_test`,
    ...(url.includes(',') ? {} : { 'server.address': hostname, 'server.port': Number(port) }),
  });
  expect(JSON.stringify(spans().map(({ name, attributes }) => [name, attributes]))).not.toMatch(/id_1|secret/);
  await mongo.close();
});
