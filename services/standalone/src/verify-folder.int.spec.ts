import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { newKeyRing } from '@svc/service';
import { verifyFolder } from './verify-folder.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-verify-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const path = (): string => join(folder, 'data.sqlite');

function frozen(name: string): void {
  folder = join(root, name);
  const from = new URL(`../fixtures/${name}/data/`, import.meta.url).pathname;
  cpSync(from, folder, { recursive: true });
  writeFileSync(path(), gunzipSync(readFileSync(`${path()}.gz`)));
}

function change(sql: string): void {
  const db = new DatabaseSync(path());
  db.exec(sql);
  db.close();
}

test.each(['data-folder-v1', 'data-folder-v5'])('a whole folder is found whole and stays as it is: %s', async (name) => {
  frozen(name);
  const before = readFileSync(path());
  const { ok, problems, numbers, rows, ciphertexts } = await verifyFolder(folder, {});
  expect([ok, problems]).toEqual([true, []]);
  expect(numbers).toBeGreaterThan(2);
  expect(rows['svc_gateway.accounts']).toBeGreaterThan(0);
  expect(ciphertexts['gateway']?.['peppers']).toEqual({ newest: 1, older: 0, unreadable: 0 });
  expect(readFileSync(path()).equals(before)).toBe(true);
  expect(readdirSync(root)).toEqual([name]);
});

test.each([
  [
    'an event is lost',
    "DELETE FROM events WHERE position = (SELECT min(position) FROM events WHERE stream GLOB 'invoice-*')",
    /has no event 0/,
  ],
  [
    'an event comes before its predecessor',
    "UPDATE events SET position = 0 WHERE position = (SELECT max(position) FROM events WHERE stream GLOB 'invoice-*')",
    /^invoice-.* has event \d+ behind event \d+$/,
  ],
  [
    'a count is assigned twice',
    "UPDATE events SET data = json_set(data, '$.seq', 1) WHERE type = 'NumberTaken' AND json_extract(data, '$.seq') = 3",
    /^series-.* assigns 1 after 2$/,
  ],
  [
    'a document has another number than its series assigned',
    "UPDATE events SET data = json_set(data, '$.number', 'INV-9') WHERE type = 'InvoiceNumbered' AND json_extract(data, '$.seq') = 2",
    /has the number INV-9, and its series assigned INV-0*2/,
  ],
  [
    'personal data is changed',
    "UPDATE events SET data = json_set(data, '$.personal', 'AAAA' || json_extract(data, '$.personal')) WHERE type = 'CustomerCreated'",
    /no key decrypts the personal data/,
  ],
])('%s: it is named', async (_what, sql, problem) => {
  frozen('data-folder-v1'); // Its rows are plain JSON.
  change(sql);
  const { ok, problems } = await verifyFolder(folder, {});
  expect([ok, problems]).toEqual([false, expect.arrayContaining([expect.stringMatching(problem)])]);
});

test('an event that cannot be read is named, and is not waited for', async () => {
  frozen('data-folder-v5');
  change("UPDATE events SET data = '{' WHERE position = (SELECT min(position) FROM events)");
  const { ok, problems } = await verifyFolder(folder, {});
  expect([ok, problems]).toEqual([false, expect.arrayContaining(['the events after position 0 cannot all be read'])]);
});

test('keys that decrypt nothing, and a damaged file, are named', async () => {
  frozen('data-folder-v5');
  const secrets = readFileSync(join(folder, 'secrets.json'), 'utf8');
  writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ ...(JSON.parse(secrets) as object), rootKey: newKeyRing() }));
  expect((await verifyFolder(folder, {})).problems).toContainEqual(expect.stringMatching(/^gateway: no key decrypts 1 of peppers$/));
  writeFileSync(join(folder, 'secrets.json'), secrets);
  const bytes = readFileSync(path());
  bytes.fill(7, 20 * 4_096, 30 * 4_096);
  writeFileSync(path(), bytes);
  expect(await verifyFolder(folder, {})).toMatchObject({
    ok: false,
    problems: expect.arrayContaining([expect.stringMatching(/^data\.sqlite: /)]),
  });
});

test('a folder that is not there, or without a database or any key, is refused with what is wrong', async () => {
  folder = join(root, 'empty');
  await expect(verifyFolder(folder, {})).rejects.toThrow(`there is no folder ${folder}`);
  mkdirSync(folder);
  await expect(verifyFolder(folder, {})).rejects.toThrow('has no data.sqlite');
  frozen('data-folder-v5');
  rmSync(join(folder, 'secrets.json'));
  await expect(verifyFolder(folder, {})).rejects.toThrow('without its secrets');
});
