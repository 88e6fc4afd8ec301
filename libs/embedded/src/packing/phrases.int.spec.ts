import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Engine } from '../engine.ts';

/** More than have codes of one byte. */
const phrases = ['","name":"', '{"id":"', '"id":', '.*', '"a\\"', 'ë𝄞', ...Array.from({ length: 200 }, (_, n) => `"field_${n}":`)];
const resource = JSON.stringify(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`field_${n * 7}`, 'Consulting'])));

describe('packed texts', () => {
  const folders = mkdtempSync(join(tmpdir(), 'phrases-'));
  let folder: string;
  let engine: Engine;
  const open = (known?: string[]): Engine => (engine = Engine.open(folder, { durable: false, ...(known && { phrases: known }) }));
  beforeEach(() => {
    folder = mkdtempSync(join(folders, 'data-'));
    open(phrases);
  });
  afterEach(() => engine.close());
  afterAll(() => rmSync(folders, { recursive: true }));

  test('any text is unpacked as it was', () => {
    const part = fc.oneof(
      fc.constantFrom(...phrases, '\x1f', '\x1f\x1f', '\0', '\x01', '\x15 ', 'x'.repeat(100)),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const text = parts.join('');
        expect(engine.phrases.unpack(engine.phrases.pack(text))).toBe(text);
      }),
    );
  });

  test('a text of phrases takes little room, and is never longer than before', () => {
    expect(engine.phrases.pack(resource).length).toBeLessThan(resource.length * 0.7);
    for (const text of ['x'.repeat(500), 'short', `"field_1":\n${'x'.repeat(500)}`]) expect(engine.phrases.pack(text)).toBe(text);
  });

  test('a text with characters of more than a byte is packed as any other', () => {
    const [bytes, beyond] = ['é', '株'].map((name) => engine.phrases.pack(`${resource}{"name":"${name}"}`));
    expect(beyond?.replace('株', 'é')).toBe(bytes);
  });

  test('a release with other phrases, or none, reads the texts of before, and its own are read later', () => {
    const first = engine.phrases.pack(resource);
    engine.close();
    open(['Consulting', ...phrases.toReversed()]);
    const second = engine.phrases.pack(resource);
    expect(second.length).toBeLessThan(first.length);
    engine.close();
    open();
    expect([first, second].map((text) => engine.phrases.unpack(text))).toEqual([resource, resource]);
    expect(engine.phrases.pack(resource)).toBe(second);
  });

  test('phrases beyond the last code are omitted', () => {
    engine.close();
    const many = Array.from({ length: 2_000 }, (_, n) => `"other_${n}":`);
    open(many);
    for (const name of ['other_0', 'other_600', 'other_1999']) {
      const text = `{"${name}":"${'x'.repeat(100)}"}`;
      expect(engine.phrases.unpack(engine.phrases.pack(text))).toBe(text);
    }
  });
});
