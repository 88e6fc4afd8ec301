import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IsOptional } from 'class-validator';
import { loadConfig } from './load-config.ts';
import { IsEventStoreUrl, IsMongoUrl } from './server-rules.ts';
import { Setting } from './setting.ts';

class Config {
  @Setting({ description: 'a store', secret: true })
  @IsOptional()
  @IsEventStoreUrl()
  EVENT_STORE_URL?: string;

  @Setting({ description: 'documents', secret: true })
  @IsOptional()
  @IsMongoUrl()
  MONGODB_URL?: string;
}

const folder = mkdtempSync(join(tmpdir(), 'svc-server-rules-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['EVENT_STORE_URL', 'esdb://127.0.0.1:1?tls=true&tlsCAFile='],
  ['MONGODB_URL', 'mongodb://127.0.0.1:1/?tls=true&tlsCAFile='],
])('the files that %s names are there, and are PEM files', (name, url) => {
  const [text, pem] = [join(folder, 'no PEM'), join(folder, 'ca.pem')];
  writeFileSync(text, 'x');
  writeFileSync(pem, '-----BEGIN CERTIFICATE-----');
  const load = (path: string) => () => loadConfig(Config, { [name]: url + encodeURIComponent(path) });
  const missing = `${name} is (hidden); it must be a URL whose files can be read: tlsCAFile /nowhere/ca.pem (is not there)`;
  expect(load('/nowhere/ca.pem')).toThrow(missing);
  expect(load(text)).toThrow('is no PEM file');
  expect(load(pem)()).toEqual({ [name]: url + encodeURIComponent(pem) });
});
