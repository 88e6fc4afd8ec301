import { serverCollection } from './server-collection.ts';

type Stored = Parameters<typeof serverCollection>[0];

/** A server that records which indexes are created. */
function noted() {
  const asked: string[][] = [];
  const createIndexes = async (specs: { name: string }[]): Promise<string[]> => {
    asked.push(specs.map(({ name }) => name));
    return [];
  };
  const place = serverCollection({ namespace: 'svc_test.rows', createIndexes } as unknown as Stored, async () => undefined, {
    user: 'svc',
    server: undefined,
  });
  return { place, asked };
}

test('an index that is declared twice is created once', async () => {
  const { place, asked } = noted();
  for (let n = 0; n < 5; n += 1) {
    place.declare([{ fields: ['subject'] }, { fields: ['key'], unique: true }]);
    await place.ready();
  }
  expect(asked).toEqual([['subject', 'key', 'key unique']]);
  expect(place.indexes).toHaveLength(2);
});

test('a new index is created with the known ones, each once; a unique one differs from a plain one', async () => {
  const { place, asked } = noted();
  place.declare([{ fields: ['key'] }, { fields: ['key'], unique: false }]);
  await place.ready();
  place.declare([{ fields: ['key'], unique: true }, { fields: ['key', 'at'] }, { fields: ['key'] }]);
  await place.ready();
  expect(asked).toEqual([['key'], ['key', 'key unique', 'key,at']]);
});
