import type { Authority } from '../submission/authority.ts';
import { alCis } from './al-cis/al-cis.ts';
import { esVerifactu } from './es-verifactu/es-verifactu.ts';
import { meEfi } from './me-efi/me-efi.ts';
import { sandboxAuthority } from './sandbox/sandbox.ts';
import { simulated } from './simulated.ts';
import { testAnchors } from './test-certificates.ts';

export interface Connections {
  /** Origin of the sandbox authority. */
  simulatorUrl: string;
  /** Origins of national services for test documents, by authority; those without one are not served. */
  testUrls?: Readonly<Record<string, string | undefined>>;
}

/** Whoever operates a simulator has made nothing: the documents have no legal effect. */
const testProducer = { name: 'Test producer', nif: '89890001K', system: 'Invoicing platform', id: '01', version: '0.2' };

/** Test connections of the national authorities: what their messages lead to is the authority's own page for tests. */
const connections: Record<string, (origin: string) => Authority> = {
  'al-cis': (origin) =>
    alCis({
      ...{ origin, page: 'https://efiskalizimi-app-test.tatime.gov.al/invoice-check', anchors: [testAnchors['al-cis']] },
      trust: { anchors: [testAnchors['al-cis']], signer: 'GDT eFiskalizimi' },
    }) as unknown as Authority,
  'me-efi': (origin) =>
    meEfi({
      ...{ origin, page: 'https://efitest.tax.gov.me/ic', anchors: [testAnchors['me-efi']] },
      trust: { anchors: [testAnchors['me-efi']], signer: 'Test fiscal service of Montenegro' },
    }) as unknown as Authority,
  'es-verifactu': (origin) =>
    esVerifactu({
      ...{ origin, page: 'https://prewww2.aeat.es', anchors: [testAnchors['es-verifactu']], producer: testProducer },
    }) as unknown as Authority,
};

/** The adapters of all authorities that are served, by id. */
export function authoritiesOf({ simulatorUrl, testUrls = {} }: Connections): ReadonlyMap<string, Authority> {
  const national = Object.entries(connections).flatMap(([id, connect]) => {
    const origin = testUrls[id];
    return origin === undefined ? [] : [simulated(connect(origin))];
  });
  return new Map([sandboxAuthority(simulatorUrl), ...national].map((authority) => [authority.id, authority]));
}
