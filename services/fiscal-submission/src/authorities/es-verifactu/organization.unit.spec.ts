import forge from 'node-forge';
import { originFor } from './organization.ts';

const { privateKey, publicKey } = forge.pki.rsa.generateKeyPair(512);
function pemOf(subject: { name: string; value: string }[]): string {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.serialNumber = '01';
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  certificate.sign(privateKey, forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}
const organization = pemOf([{ name: 'commonName', value: 'Sello de Empresa SL' }]);
const person = pemOf([
  { name: 'commonName', value: 'Ana' },
  { name: 'givenName', value: 'Ana' },
  { name: 'surname', value: 'Gil' },
]);

test('the certificate of an organization is taken at a host of its own, that of a person at the other; another address stays as the deployment sets it', () => {
  expect(originFor('https://www1.agenciatributaria.gob.es', organization)).toBe('https://www10.agenciatributaria.gob.es');
  expect(originFor('https://prewww1.aeat.es', organization)).toBe('https://prewww10.aeat.es');
  expect(originFor('https://www1.agenciatributaria.gob.es', person)).toBe('https://www1.agenciatributaria.gob.es');
  expect(originFor('https://127.0.0.1:3005', organization)).toBe('https://127.0.0.1:3005');
});
