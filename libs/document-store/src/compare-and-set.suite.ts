import { compareAndSet } from './compare-and-set.ts';
import type { OpenDocumentStore } from './document-store.suite.ts';
import type { Collection, Doc } from './port.ts';

interface Counter extends Doc {
  count: number;
}

/** The tests of `compareAndSet` on any adapter. */
export function compareAndSetSuite(name: string, open: () => Promise<OpenDocumentStore>): void {
  describe(`compare-and-set: ${name}`, () => {
    let fixture: OpenDocumentStore;
    let counters: Collection<Counter>;
    beforeEach(async () => {
      fixture = await open();
      counters = fixture.documents.collection('counters');
    });
    afterEach(() => fixture.close());

    const first: Counter = { _id: 'c', version: 1, count: 1 };
    const add = ({ count }: Counter) => ({ count: count + 1 });
    const nothing = (): undefined => undefined;
    /** The collection, with a write by another process before each write. */
    const contended = (faster: () => Promise<unknown>): Pick<Collection<Counter>, 'get' | 'insert' | 'claim'> => ({
      get: (id) => counters.get(id),
      insert: (doc) => faster().then(() => counters.insert(doc)),
      claim: (...given) => faster().then(() => counters.claim(...given)),
    });
    const setByAnother = async (): Promise<unknown> => counters.claim({ _id: 'c' }, { set: { count: 100 } });

    test('inserts an absent document, and changes it the next time', async () => {
      const change = { absent: () => first, change: add };
      expect(await compareAndSet(counters, 'c', change)).toEqual({ doc: first, changed: true });
      expect(await compareAndSet(counters, 'c', change)).toEqual({ doc: { _id: 'c', version: 2, count: 2 }, changed: true });
    });

    test('does nothing where the change returns undefined', async () => {
      expect(await compareAndSet(counters, 'c', { absent: nothing, change: add })).toEqual({ doc: undefined, changed: false });
      await counters.insert(first);
      expect(await compareAndSet(counters, 'c', { absent: nothing, change: nothing })).toEqual({ doc: first, changed: false });
      expect(await counters.get('c')).toEqual(first);
    });

    test('passes on what the change throws', async () => {
      const fail = (): never => {
        throw new Error('not allowed');
      };
      await expect(compareAndSet(counters, 'c', { absent: fail, change: add })).rejects.toThrow('not allowed');
      await counters.insert(first);
      await expect(compareAndSet(counters, 'c', { absent: nothing, change: fail })).rejects.toThrow('not allowed');
    });

    test('counts every one of 20 concurrent changes once', async () => {
      await Promise.all(Array.from({ length: 20 }, () => compareAndSet(counters, 'c', { absent: () => first, change: add, tries: 30 })));
      expect(await counters.get('c')).toEqual({ _id: 'c', version: 20, count: 20 });
    });

    test('repeats the change on the newer document when another writer was faster', async () => {
      await counters.insert(first);
      let times = 0;
      const once = contended(async () => (times += 1) === 1 && setByAnother());
      expect(await compareAndSet(once, 'c', { absent: nothing, change: add })).toMatchObject({ doc: { count: 101 }, changed: true });
    });

    test('changes a document that another writer inserted first', async () => {
      const once = contended(() => counters.insert({ ...first, count: 7 }));
      expect(await compareAndSet(once, 'c', { absent: () => first, change: add })).toMatchObject({ doc: { count: 8 }, changed: true });
    });

    test('throws service_unavailable when others were faster at every try, and changes nothing', async () => {
      await counters.insert(first);
      const always = compareAndSet(contended(setByAnother), 'c', { absent: nothing, change: add, tries: 3 });
      await expect(always).rejects.toMatchObject({ code: 'service_unavailable' });
      expect(await counters.get('c')).toMatchObject({ version: 4, count: 100 });
    });
  });
}
