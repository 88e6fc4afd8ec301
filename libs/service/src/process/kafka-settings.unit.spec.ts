import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { loadConfig } from '../config/load-config.ts';
import { ServiceConfig } from './config.ts';
import { clusterOf } from './kafka-settings.ts';

const required = {
  PUBLIC_URL: 'https://api.example.com',
  MONGODB_URL: 'mongodb://mongo:27017',
  INTERNAL_KEYS: `v1:${'A'.repeat(43)}=`,
  KAFKA_BROKERS: 'kafka:9092',
};
const cluster = (env: Record<string, string>) => clusterOf(loadConfig(ServiceConfig, { ...required, ...env }));
const user = { KAFKA_USERNAME: 'invoicing', KAFKA_PASSWORD: 'hidden word' };
const brokers = ['kafka:9092'];
const CERTIFICATE = rootCertificates[0] as string;
let folder: string;
let ca: string;
let text: string;
let key: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kafka-settings-'));
  [ca, text, key] = [join(folder, 'ca.crt'), join(folder, 'text'), join(folder, 'ca.key')];
  writeFileSync(ca, CERTIFICATE);
  writeFileSync(text, 'no certificate');
  writeFileSync(key, '-----BEGIN PRIVATE KEY-----');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('connects without TLS and without a user by default', () => expect(cluster({})).toEqual({ brokers }));

test('connects by TLS, by the authorities of a file or by those that Node knows', () => {
  expect(cluster({ KAFKA_TLS: 'true' })).toEqual({ brokers, tls: {} });
  expect(cluster({ KAFKA_TLS: 'true', KAFKA_TLS_CA_FILE: ca })).toEqual({ brokers, tls: { ca: CERTIFICATE } });
});

test('authenticates by SASL', () => {
  const sasl = { mechanism: 'scram-sha-512', username: 'invoicing', password: 'hidden word' };
  expect(cluster({ KAFKA_SASL_MECHANISM: 'scram-sha-512', ...user })).toEqual({ brokers, sasl });
  expect(cluster({ KAFKA_TLS: 'true', KAFKA_SASL_MECHANISM: 'plain', ...user }).sasl).toEqual({ ...sasl, mechanism: 'plain' });
});

test.each([
  [{ KAFKA_TLS: 'yes' }, 'KAFKA_TLS is "yes"; it must be true or false'],
  [{ KAFKA_SASL_MECHANISM: 'gssapi', ...user }, 'KAFKA_SASL_MECHANISM is "gssapi"; it must be one of plain, scram-sha-256, scram-sha-512'],
  [{ KAFKA_SASL_MECHANISM: 'scram-sha-256' }, 'it must be used with KAFKA_USERNAME and KAFKA_PASSWORD'],
  [{ KAFKA_SASL_MECHANISM: 'scram-sha-256', KAFKA_USERNAME: 'invoicing' }, 'it must be used with KAFKA_USERNAME and KAFKA_PASSWORD'],
  [{ KAFKA_SASL_MECHANISM: 'plain', ...user }, 'it must be another one, or used with KAFKA_TLS=true'],
  [user, 'KAFKA_PASSWORD is (hidden); it must be used with KAFKA_SASL_MECHANISM'],
])('refuses %j', (env, message) => {
  expect(() => cluster(env)).toThrow(message);
  expect(() => cluster(env)).not.toThrow('hidden word');
});

test('refuses a file of authorities that is not there, is none, or is not used', () => {
  const by =
    (file: string, tls = 'true') =>
    () =>
      cluster({ KAFKA_TLS: tls, KAFKA_TLS_CA_FILE: file });
  expect(by(join(folder, 'missing'))).toThrow('it must be a PEM file of certificates, and this one (is not there)');
  expect(by(text)).toThrow('is no PEM file');
  expect(by(key)).toThrow('does not begin with a certificate');
  expect(by(ca, 'false')).toThrow('it must be used with KAFKA_TLS=true');
});
