import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeConfig } from './describe-config.ts';
import { loadConfig } from './load-config.ts';
import { IsOptional, IsText, IsToken } from './rules.ts';
import { secretOf } from './secret-files.ts';
import { Setting } from './setting.ts';

class Config {
  @Setting({ description: 'a store', secret: true })
  @IsText()
  STORE_URL: string;

  @Setting({ description: 'for operators', secret: true })
  @IsOptional()
  @IsToken()
  OPS_TOKEN?: string;

  @Setting({ description: 'the folder', default: '.data' })
  @IsText()
  DATA_DIR: string;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'secret-files-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
const load = (env: Record<string, string>): Config => loadConfig(Config, env);

test.each(['mongodb://a:b@c', 'mongodb://a:b@c\n', 'mongodb://a:b@c\r\n'])(
  'a secret is read from the file that its variable names: %j',
  (text) => {
    expect(load({ STORE_URL_FILE: file('url', text) })).toMatchObject({ STORE_URL: 'mongodb://a:b@c' });
  },
);

test('a secret that is given twice, once as a file, keeps the process from starting, and its value is in no message', () => {
  const env = { STORE_URL: 'hunter2', STORE_URL_FILE: file('url', 'hunter3') };
  expect(() => load(env)).toThrow(`STORE_URL_FILE is "${folder}/url"; it must be absent, since STORE_URL is given too: give one of them`);
  expect(() => load(env)).not.toThrow(/hunter/);
});

test('a file that is missing, empty or too large is named, and so is the rule of a secret that does not hold', () => {
  expect(() => load({ STORE_URL_FILE: join(folder, 'absent') })).toThrow(/STORE_URL_FILE is ".*absent"; .*can read: ENOENT/);
  expect(() => load({ STORE_URL_FILE: file('empty', '\n') })).toThrow('a file that is not empty');
  expect(() => load({ STORE_URL_FILE: file('large', 'x'.repeat(65_537)) })).toThrow('a file of 65536 bytes at most');
  expect(() => load({ STORE_URL: 'x', OPS_TOKEN_FILE: file('short', 'short') })).toThrow(
    /^OPS_TOKEN is \(hidden\); it must be 32 characters/,
  );
});

test('what is no secret has no such form, and a misspelt one is refused by its nearest name', () => {
  expect(load({ STORE_URL: 'x', DATA_DIR_FILE: '/absent' })).toMatchObject({ DATA_DIR: '.data' });
  expect(() => load({ STORE_URLFILE: '/absent', STORE_URL: 'x' })).toThrow('STORE_URLFILE is no setting; STORE_URL_FILE is');
});

test('the help names the form of each secret', () => {
  expect(describeConfig(Config)).toMatch(/STORE_URL .*a store.*\n.*or STORE_URL_FILE: a file that holds it/);
  expect(describeConfig(Config)).not.toContain('DATA_DIR_FILE');
});

test('a command of an operator reads its token as the process does', () => {
  expect(secretOf({ OPS_TOKEN_FILE: file('token', 'a token\n') }, 'OPS_TOKEN')).toBe('a token');
  expect(secretOf({ OPS_TOKEN: 'a token' }, 'OPS_TOKEN')).toBe('a token');
  expect(secretOf({}, 'OPS_TOKEN')).toBeUndefined();
  expect(() => secretOf({ OPS_TOKEN_FILE: '/absent' }, 'OPS_TOKEN')).toThrow('OPS_TOKEN_FILE is "/absent"');
});
