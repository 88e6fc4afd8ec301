import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@svc/service';
import { lackingOf, withAuthoritySettings } from '@svc/service/process/authority-settings';
import { certified } from '../xml/testing/certificates.ts';
import { authoritiesOf } from './authorities.ts';
import { testAnchors } from './test-certificates.ts';

const Config = withAuthoritySettings(class {});
const folder = mkdtempSync(join(tmpdir(), 'trust-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const load = (env: Record<string, string> = {}) => loadConfig(Config, { AUTHORITY_TRUST: folder, ...env });
const software = {
  ...{ SOFTWARE_PRODUCER: 'Producer SL', SOFTWARE_PRODUCER_TAX_ID: '89890001K', SOFTWARE_NAME: 'Invoicing', SOFTWARE_ID: '77' },
  SOFTWARE_VERSION: '1.0',
};

test('a deployment without settings lacks what each authority needs; files and settings by their names', () => {
  expect(lackingOf(loadConfig(Config, {}))).toEqual({
    'al-cis': ['al-cis.tls.pem in AUTHORITY_TRUST', 'al-cis.answers.pem in AUTHORITY_TRUST'],
    'me-efi': ['me-efi.tls.pem in AUTHORITY_TRUST', 'me-efi.answers.pem in AUTHORITY_TRUST', 'ME_EFI_SIGNER'],
    'es-verifactu': Object.keys(software),
  });
  write('al-cis.tls.pem', `comment\n${testAnchors['al-cis']}${testAnchors['me-efi']}`);
  write('al-cis.answers.pem', testAnchors['al-cis']);
  write('README', 'not read');
  const { SOFTWARE_ID: _, ...some } = software;
  expect(lackingOf(load(some))).toMatchObject({ 'al-cis': [], 'es-verifactu': ['SOFTWARE_ID'] });
  const { live } = authoritiesOf({ simulatorUrl: 'http://127.0.0.1:1', deployment: load(software) });
  expect([...live.keys()]).toEqual(['al-cis', 'es-verifactu']);
  expect(live.get('al-cis')).toMatchObject({
    origin: 'https://efiskalizimi.tatime.gov.al',
    anchors: [expect.anything(), expect.anything()],
  });
});

test.each([
  ['nothing', 'al-cis.tls.pem has no certificate in PEM'],
  [testAnchors['al-cis'].replace('MIID', 'AAAA'), 'al-cis.tls.pem has a certificate that cannot be read'],
  [certified({ name: 'localhost', host: 'localhost' }).pem, 'who issues none'],
])('a file without a trust anchor stops the start with its name: %#', (text, words) => {
  write('al-cis.tls.pem', text);
  expect(() => load()).toThrow(words);
  write('al-cis.tls.pem', testAnchors['al-cis']);
});

test('wrong settings are named: a folder that is not there, an id of three letters, a NIF that is none', () => {
  expect(() => loadConfig(Config, { AUTHORITY_TRUST: '/no/such/folder' })).toThrow(/AUTHORITY_TRUST is "\/no\/such\/folder".*ENOENT/);
  expect(() => load({ SOFTWARE_ID: 'abc' })).toThrow('two of A–Z and 0–9');
  expect(() => load({ SOFTWARE_PRODUCER_TAX_ID: 'L1' })).toThrow('NIF');
});

test('anchors of the authority’s own test service are whole, or the process does not start', () => {
  write('al-cis.test.tls.pem', testAnchors['al-cis']);
  const testUrls = { 'al-cis': 'https://127.0.0.1:1' };
  expect(() => authoritiesOf({ simulatorUrl: 'http://127.0.0.1:1', testUrls, deployment: load() })).toThrow('no al-cis.test.answers.pem');
});
