import { X509Certificate } from 'node:crypto';

/** Where certificates of organizations are taken, by where those of persons and representatives are (service document 1.0.3). */
const OF_ORGANIZATIONS: Readonly<Record<string, string>> = {
  'https://www1.agenciatributaria.gob.es': 'https://www10.agenciatributaria.gob.es',
  'https://prewww1.aeat.es': 'https://prewww10.aeat.es',
};

/** The origin of the service for whoever shows this certificate, in PEM: that of an organization names no person in its subject. */
export function originFor(origin: string, certificate: string): string {
  const namesPerson = /^(GN|SN|givenName|surname)=/m.test(new X509Certificate(certificate).subject);
  return namesPerson ? origin : (OF_ORGANIZATIONS[origin] ?? origin);
}
