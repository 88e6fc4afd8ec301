import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '../engine.ts';
import { Names } from './names.ts';

describe('codes of names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'names-'));
  let engine: Engine;
  beforeAll(() => {
    engine = Engine.open(folder, { durable: false });
  });
  afterAll(() => {
    engine.close();
    rmSync(folder, { recursive: true });
  });

  test('some thousand short names are kept in memory; the others are read, and have the same codes', async () => {
    let reads = 0;
    const names = new Names({ sql: (text) => ((reads += 1), engine.sql(text)), isInTransaction: () => false });
    const all = Array.from({ length: 10_050 }, (_, n) => `acct_${n}`);
    await engine.write(() => all.forEach((name) => engine.names.add(name)));
    const codes = all.map((name) => names.codeOf(name) as number);
    expect(new Set(codes).size).toBe(all.length);
    const count = (look: () => void): number => {
      const before = reads;
      look();
      return reads - before;
    };
    expect(count(() => all.slice(50).forEach((name, n) => expect(names.codeOf(name)).toBe(codes[n + 50])))).toBe(0);
    expect(count(() => expect(names.nameOf(codes[10_049] as number)).toBe('acct_10049'))).toBe(0);
    expect(count(() => expect(codes.map((code) => names.nameOf(code))).toEqual(all))).toBeGreaterThan(50);
    const long = 'x'.repeat(100);
    await engine.write(() => engine.names.add(long));
    expect(count(() => [1, 2].forEach(() => names.codeOf(long)))).toBe(2);
  });

  test('a code that no name has is an error, which says what to do', () => {
    expect(() => engine.names.nameOf(99_999)).toThrow('restore it from a backup');
  });

  test('the codes of the two environments take no byte', () => {
    expect([engine.names.codeOf('live'), engine.names.codeOf('test'), engine.names.codeOf('other')]).toEqual([0, 1, undefined]);
  });
});
