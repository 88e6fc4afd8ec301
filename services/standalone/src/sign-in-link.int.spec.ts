import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renewLink } from './sign-in-link.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-link-'));
const file = join(folder, 'first-keys.json');
afterAll(() => rmSync(folder, { recursive: true }));

const keys = { account_id: 'acct_1', test_key: 'svc_test_1', sign_in_url: 'http://localhost/app#token=old' };
const warnings: object[] = [];
const renew = (account: string, link: string | undefined, of = file) =>
  renewLink({ file: of, account, link, logger: { warn: (fields) => void warnings.push(fields) } });
const read = (): unknown => JSON.parse(readFileSync(file, 'utf8'));
beforeEach(() => writeFileSync(file, JSON.stringify(keys)));

test('the file with the first keys gets the link of this start, and none once a password is set', () => {
  renew('acct_1', 'http://localhost/app#token=new');
  expect(read()).toEqual({ ...keys, sign_in_url: 'http://localhost/app#token=new' });
  renew('acct_1', undefined);
  expect(read()).toEqual({ ...keys, sign_in_url: null });
});

test('a file of another account, one without a link, and one that holds anything else stay as they are', () => {
  renew('acct_2', 'http://localhost/app#token=new');
  expect(read()).toEqual(keys);
  for (const text of ['{"account_id":"acct_1"}', '[]', 'null', 'no keys']) {
    writeFileSync(file, text);
    renew('acct_1', 'http://localhost/app#token=new');
    expect(readFileSync(file, 'utf8')).toBe(text);
  }
});

test('a file that was removed is not made anew', () => {
  rmSync(file);
  renew('acct_1', 'http://localhost/app#token=new');
  expect(readdirSync(folder)).toEqual([]);
});

test('one that cannot be written keeps no start from serving, and is named', () => {
  // A folder stands where the new file would be written.
  const other = join(folder, 'held');
  writeFileSync(other, JSON.stringify(keys));
  mkdirSync(`${other}.new`);
  renew('acct_1', 'http://localhost/app#token=new', other);
  expect(warnings).toMatchObject([{ file: other }]);
});
