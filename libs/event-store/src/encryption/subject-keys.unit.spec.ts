import type { Collection } from '@svc/document-store';
import { FakeClock } from '@svc/kernel';
import { documentSubjectKeys, type SubjectKey } from './subject-keys.ts';

test('of more subjects than it caches, each has its own key, which is read from the collection again', async () => {
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
  const keys = documentSubjectKeys({ collection, secrets, clock: new FakeClock() });
  const first = await keys.forWriting('cust_0');
  reads = 0;
  await keys.forReading('cust_0');
  expect(reads).toBe(0);
  for (let n = 1; n <= 10_000; n += 1) await keys.forWriting(`cust_${n}`);
  reads = 0;
  expect((await keys.forReading('cust_0'))?.equals(first)).toBe(true);
  expect(reads).toBe(1);
});
