import { isRawNumber, jsonNumber, numberText, parseExact } from '@svc/kernel';
import type { OpenDocumentStore } from './document-store.suite.ts';
import type { Collection, Doc } from './port.ts';

interface Kept extends Doc {
  value?: unknown;
  other?: unknown;
  amount?: number;
}

/** Every value of JSON is returned as it was stored. */
export function keptSuite(name: string, open: () => Promise<OpenDocumentStore>): void {
  describe(`values in documents: ${name}`, () => {
    let fixture: OpenDocumentStore;
    let docs: Collection<Kept>;
    beforeEach(async () => {
      fixture = await open();
      docs = fixture.documents.collection<Kept>('kept', { indexes: [{ fields: ['amount'] }] });
    });
    afterEach(() => fixture.close());

    /** The value after each way of writing and reading. */
    const comeBack = async (value: unknown): Promise<unknown[]> => {
      await docs.insert({ _id: 'inserted', version: 1, value });
      await docs.write([{ put: { _id: 'put', version: 1, value } }, { insert: { _id: 'written', version: 1, value } }]);
      await docs.write([{ put: { _id: 'claimed', version: 1, value: 'before' } }]);
      const [claimed] = await docs.claim({ _id: 'claimed' }, { set: { value } });
      const found: unknown[] = [claimed?.value];
      for await (const doc of docs.find({})) found.push(doc.value);
      for (const id of ['inserted', 'put', 'written', 'claimed']) found.push((await docs.get(id))?.value);
      expect(found).toHaveLength(9);
      return found;
    };

    test.each([
      '12345678901234567890',
      '-12345678901234567.80',
      '0.10000000000000000001',
      '0.00000000000012345678901234567890',
      '1234567890123456789e5',
      '12345678901234567890123456789012345678901234567890.5',
    ])('the exact number %s, digit for digit', async (text) => {
      const number = jsonNumber(text);
      expect(isRawNumber(number)).toBe(true);
      for (const back of await comeBack({ deep: [number] })) expect(numberText((back as { deep: unknown[] }).deep[0])).toBe(text);
    });

    test.each([0, 1, -1, 0.1, 1.5e-7, 2 ** 31, 2 ** 53, -(2 ** 53) - 2, 1e21, 5e-324, Number.MAX_VALUE])(
      'the number %d',
      async (number) => {
        for (const back of await comeBack([number])) expect(JSON.stringify(back)).toBe(JSON.stringify([number]));
      },
    );

    test.each(['', '.', 'a.b', '$set', '$ref', '$id', '%', '%2E', '%24a', '100 %', '\u0000', 'a\u0000b', '0', 'ë𝄞', '_id', 'toString'])(
      'the key %j, with any text as its value',
      async (key) => {
        const value = { [key]: `$${key}.%`, list: [{ [key]: { [key]: null } }], $id: 'x', $ref: 'y' };
        for (const back of await comeBack(value)) expect(back).toEqual(value);
      },
    );

    test('the key __proto__', async () => {
      const text = '{"__proto__":{"a":1}}';
      for (const back of await comeBack(parseExact(text))) expect(JSON.stringify(back)).toBe(text);
    });

    test('fields keep their order', async () => {
      for (const back of await comeBack({ z: 1, a: { d: 1, c: 2 }, m: [] }))
        expect(JSON.stringify(back)).toBe('{"z":1,"a":{"d":1,"c":2},"m":[]}');
    });

    test('everything else as in JSON', async () => {
      const value = { gone: undefined, list: [undefined, NaN, -0], endless: -Infinity, at: new Date(0), call: () => 1 };
      await docs.insert({ _id: 'a', version: 1, value });
      expect(Object.entries((await docs.get('a'))?.value as object)).toEqual([
        ['list', [null, null, 0]],
        ['endless', null],
        ['at', '1970-01-01T00:00:00.000Z'],
      ]);
      await expect((async () => docs.insert({ _id: 'b', version: 1, value: 1n }))()).rejects.toThrow(TypeError);
      expect(await docs.get('b')).toBeUndefined();
    });

    test('a claim that sets a field to undefined removes it; it cannot set _id or version', async () => {
      await docs.insert({ _id: 'a', version: 1, value: 1, other: 2 });
      const set = { value: undefined, other: 3, _id: 'b', version: 70 };
      expect(await docs.claim({ _id: 'a' }, { set })).toEqual([{ _id: 'a', version: 2, other: 3 }]);
      expect(Object.keys((await docs.get('a')) as object)).not.toContain('value');
      expect(await docs.get('a')).toEqual({ _id: 'a', version: 2, other: 3 });
    });

    test('exact numbers are found and sorted among others', async () => {
      const amounts = ['12345678901234567890', '2', '99999999999999999999.5', '-1'];
      await docs.write(amounts.map((text, n) => ({ put: { _id: `${n}`, version: 1, amount: jsonNumber(text) } })));
      const ids = async (filter: object): Promise<string[]> => {
        const found: string[] = [];
        for await (const { _id } of docs.find(filter as never, { sort: { amount: 1 } })) found.push(_id);
        return found;
      };
      expect(await ids({})).toEqual(['3', '1', '0', '2']);
      expect(await ids({ amount: jsonNumber('12345678901234567890') })).toEqual(['0']);
      expect(await ids({ amount: { $gt: 5 } })).toEqual(['0', '2']);
      expect(await ids({ amount: { $lte: jsonNumber('12345678901234567890.5') } })).toEqual(['3', '1', '0']);
    });

    test('an indexed field without a scalar is rejected, and nothing is written', async () => {
      const list = { _id: 'a', version: 1, amount: [1] as unknown as number };
      await expect((async () => docs.insert(list))()).rejects.toThrow('scalar');
      await expect((async () => docs.write([{ put: { _id: 'b', version: 1 } }, { put: list }]))()).rejects.toThrow('scalar');
      await docs.insert({ _id: 'c', version: 1 });
      await expect((async () => docs.claim({ _id: 'c' }, { set: list }))()).rejects.toThrow('scalar');
      expect(await docs.count({})).toBe(1);
    });

    test('invalid names are rejected', () => {
      expect(() => fixture.documents.collection('rows"; --')).toThrow('name');
      expect(() => fixture.documents.collection('system.rows')).toThrow('name');
      expect(() => fixture.documents.collection('rows', { indexes: [{ fields: ['a.b'] }] })).toThrow('name');
    });
  });
}
