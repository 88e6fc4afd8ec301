import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { Phrases } from '@svc/embedded';
import { phrases } from './phrases.ts';

/** The packed texts of the newest frozen folder, unpacked. */
function storedTexts(): string[] {
  const files = globSync('../fixtures/data-folder-v*/data/data.sqlite.gz', { cwd: import.meta.dirname });
  const [newest = ''] = files.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const folder = mkdtempSync(join(tmpdir(), 'svc-phrases-'));
  const path = join(folder, 'data.sqlite');
  writeFileSync(path, gunzipSync(readFileSync(join(import.meta.dirname, newest))));
  const db = new DatabaseSync(path, { readOnly: true });
  const packing = Phrases.of(db);
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
  const values = tables.flatMap(({ name }) =>
    db
      .prepare(`SELECT * FROM "${String(name)}"`)
      .all()
      .flatMap(Object.values),
  ) as unknown[];
  db.close();
  rmSync(folder, { recursive: true });
  return values
    .filter((value) => typeof value === 'string')
    .filter((value) => value.startsWith('\x1f'))
    .map((value) => packing.unpack(value));
}

test('every phrase stands for something in rows of the newest format; the list is short', () => {
  const longestFirst = phrases.toSorted((a, b) => b.length - a.length).map((phrase) => phrase.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const any = new RegExp(longestFirst.join('|'), 'g');
  const used = new Set(storedTexts().flatMap((text) => text.match(any) ?? []));
  expect(phrases.filter((phrase) => !used.has(phrase))).toEqual([]);
  expect(phrases.length).toBeLessThanOrEqual(250);
});
