import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { storedTypes as ofSubmission } from '@svc/fiscal-submission/submission/stored-types';
import { storedTypes as ofInvoicing } from '@svc/invoicing/registrations';
import { compared, typesIn } from './frozen-types.mjs';

const fixtures = new URL('../services/standalone/fixtures/', import.meta.url).pathname;

function typesOf(folder: string): string[] {
  const work = mkdtempSync(join(tmpdir(), 'svc-frozen-types-'));
  try {
    const path = join(work, 'data.sqlite');
    writeFileSync(path, gunzipSync(readFileSync(join(fixtures, folder, 'data', 'data.sqlite.gz'))));
    return [...typesIn(path)];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

test('a frozen folder has every stored event type in each of its versions; run node tools/freeze-folder.mjs if one is missing', () => {
  const folders = readdirSync(fixtures).filter((name) => name.startsWith('data-folder-v'));
  expect(compared(new Set(folders.flatMap(typesOf)), { ...ofInvoicing, ...ofSubmission })).toEqual({
    missing: [],
    older: [],
    undeclared: [],
  });
});
