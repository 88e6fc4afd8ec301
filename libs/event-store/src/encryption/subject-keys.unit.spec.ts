import type { Collection } from '@svc/document-store';
import { FakeClock } from '@svc/kernel';
import { documentSubjectKeys, type SubjectKey } from './subject-keys.ts';

function fixture() {
  const docs = new Map<string, SubjectKey>();
  let reads = 0;
  const collection = {
    get: async (id: string) => ((reads += 1), docs.get(id)),
    insert: async (doc: SubjectKey) => !docs.has(doc._id) && docs.set(doc._id, doc) !== undefined,
  } as Partial<Collection<SubjectKey>> as Collection<SubjectKey>;
  const secrets = {
    encrypt: (plain: Uint8Array) => Buffer.from(plain).toString('base64'),
    decrypt: (ciphertext: string) => Buffer.from(ciphertext, 'base64'),
  };
  const clock = new FakeClock();
  const keys = documentSubjectKeys({ collection, secrets, clock });
  const readsOf = async (work: () => Promise<unknown>): Promise<number> => {
    reads = 0;
    await work();
    return reads;
  };
  return { docs, clock, keys, readsOf };
}

test('of more subjects than it caches, each has its own key, which is read from the collection again', async () => {
  const { keys, readsOf } = fixture();
  const first = await keys.forWriting('cust_0');
  expect(await readsOf(() => keys.forReading('cust_0'))).toBe(0);
  for (let n = 1; n <= 10_000; n += 1) await keys.forWriting(`cust_${n}`);
  expect(await readsOf(async () => expect((await keys.forReading('cust_0'))?.equals(first)).toBe(true))).toBe(1);
});

test('a key that another process has destroyed is used no longer once the clock is set back', async () => {
  const { docs, clock, keys } = fixture();
  await keys.forWriting('cust_0');
  docs.set('cust_0', { _id: 'cust_0', version: 2, sealed: null });
  await clock.advance(-3_600_000);
  expect(await keys.forReading('cust_0')).toBeUndefined();
});
