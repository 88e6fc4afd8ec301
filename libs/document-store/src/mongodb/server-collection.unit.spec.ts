import { serverCollection } from './server-collection.ts';

type Stored = Parameters<typeof serverCollection>[0];

/** A server that records which indexes are created. */
function noted() {
  const asked: string[][] = [];
  const createIndexes = async (specs: { name: string }[]): Promise<string[]> => {
    asked.push(specs.map(({ name }) => name));
    return [];
  };
  const collection = serverCollection({ namespace: 'svc_test.rows', createIndexes } as unknown as Stored, async () => undefined, {
    user: 'svc',
    server: undefined,
  });
  return { collection, asked };
}

test('an index that is declared twice is created once', async () => {
  const { collection, asked } = noted();
  for (let n = 0; n < 5; n += 1) {
    collection.declare([{ fields: ['subject'] }, { fields: ['key'], unique: true }]);
    await collection.ready();
  }
  expect(asked).toEqual([['subject', 'key', 'key unique']]);
  expect(collection.indexes).toHaveLength(2);
});

test('a new index is created with the known ones, each once; a unique one differs from a plain one', async () => {
  const { collection, asked } = noted();
  collection.declare([{ fields: ['key'] }, { fields: ['key'], unique: false }]);
  await collection.ready();
  collection.declare([{ fields: ['key'], unique: true }, { fields: ['key', 'at'] }, { fields: ['key'] }]);
  await collection.ready();
  expect(asked).toEqual([['key'], ['key', 'key unique', 'key,at']]);
});
