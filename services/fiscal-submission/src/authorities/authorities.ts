import { lackingOf, type AuthoritySettings } from '@svc/service/process/authority-settings';
import type { Authorities, Authority } from '../submission/authority.ts';
import { alCis } from './al-cis/al-cis.ts';
import type { CisOptions } from './al-cis/cis.ts';
import { esVerifactu } from './es-verifactu/es-verifactu.ts';
import type { Producer } from './es-verifactu/record.ts';
import { meEfi } from './me-efi/me-efi.ts';
import { publishedOrigins } from './published-origins.ts';
import { sandboxAuthority } from './sandbox/sandbox.ts';
import { simulated } from './simulated.ts';
import { testAnchors } from './test-certificates.ts';

type Origins = Readonly<Record<string, string | undefined>>;

export interface Connections {
  /** Origin of the sandbox authority; undefined: it is not served. */
  simulatorUrl: string | undefined;
  /** Origins of national services for test documents, by authority; those without one are not served. */
  testUrls?: Origins;
  /** Origins for live documents, where they are not the published ones. */
  liveUrls?: Origins;
  /** What the deployment says of itself, and whom it trusts: without what an authority needs it takes no live documents. */
  deployment?: AuthoritySettings;
}

/** Where an authority is reached, and whose certificates and answers are trusted there. */
interface Connection {
  origin: string;
  /** Address of the page that checks a document. */
  page: string;
  tls: readonly string[] | undefined;
  answers: readonly string[];
  /** Common name of whoever signs its answers. */
  signer: string;
  producer: Producer;
}

/** Whoever operates a simulator has made nothing: the documents have no legal effect. */
const testProducer: Producer = { name: 'Test producer', nif: '89890001K', system: 'Invoicing platform', id: '01', version: '0.2' };

/** A national authority: its published addresses, and how its adapter is made. */
interface National {
  live: Pick<Connection, 'origin' | 'page' | 'signer'>;
  test: Pick<Connection, 'page' | 'signer'>;
  connect(connection: Connection): Authority;
}

const cisOptions = ({ origin, page, tls, answers, signer }: Connection): CisOptions => ({
  ...{ origin, page, trust: { anchors: answers, signer } },
  ...(tls && { anchors: tls }),
});

const national: Readonly<Record<keyof typeof testAnchors, National>> = {
  'al-cis': {
    live: {
      ...{ origin: publishedOrigins['al-cis'], page: 'https://efiskalizimi-app.tatime.gov.al/invoice-check' },
      signer: 'GDT eFiskalizimi',
    },
    test: { page: 'https://efiskalizimi-app-test.tatime.gov.al/invoice-check', signer: 'GDT eFiskalizimi' },
    connect: (connection) => alCis(cisOptions(connection)) as unknown as Authority,
  },
  'me-efi': {
    live: { origin: publishedOrigins['me-efi'], page: 'https://mapr.tax.gov.me/ic', signer: '' },
    test: { page: 'https://efitest.tax.gov.me/ic', signer: 'Test fiscal service of Montenegro' },
    connect: (connection) => meEfi(cisOptions(connection)) as unknown as Authority,
  },
  'es-verifactu': {
    live: { origin: publishedOrigins['es-verifactu'], page: 'https://www2.agenciatributaria.gob.es', signer: '' },
    test: { page: 'https://prewww2.aeat.es', signer: '' },
    connect: ({ origin, page, tls, producer }) =>
      esVerifactu({ origin, page, producer, ...(tls && { anchors: tls }) }) as unknown as Authority,
  },
};

/**
 * The adapters of all authorities that are served, by environment and id. The test connection is a simulator's, unless the deployment has trust anchors of the
 * authority's own test service. Throws where these are not whole.
 */
export function authoritiesOf({ simulatorUrl, testUrls = {}, liveUrls = {}, deployment = {} }: Connections): Authorities {
  const lacking = lackingOf(deployment);
  const test = served((id, of) => (testUrls[id] === undefined ? undefined : testConnection(id, of, testUrls[id], deployment)));
  const live = served((id, of) =>
    lacking[id]?.length === 0
      ? of.connect({ ...of.live, ...(liveUrls[id] && { origin: liveUrls[id] }), ...trusted(id, '', deployment, of.live.signer) })
      : undefined,
  );
  const sandbox = simulatorUrl === undefined ? [] : [sandboxAuthority(simulatorUrl) as unknown as Authority];
  return { test: new Map([...sandbox.map((one) => [one.id, one] as const), ...test]), live };
}

type NationalId = keyof typeof testAnchors;

function served(connected: (id: NationalId, of: National) => Authority | undefined): Map<string, Authority> {
  const all = Object.entries(national).map(([id, of]) => connected(id as NationalId, of));
  return new Map(all.filter((one) => one !== undefined).map((one) => [one.id, one]));
}

function testConnection(id: NationalId, of: National, origin: string, deployment: AuthoritySettings): Authority {
  if (deployment.AUTHORITY_TRUST?.has(`${id}.test.tls.pem`))
    return of.connect({ ...of.test, origin, ...trusted(id, 'test.', deployment, of.test.signer) });
  const anchors = [testAnchors[id]];
  return simulated(of.connect({ ...of.test, origin, tls: anchors, answers: anchors, producer: testProducer }));
}

/** `of`: part of the names of files, of the test connection `test.`. */
function trusted(id: NationalId, of: '' | 'test.', deployment: AuthoritySettings, signer: string) {
  const files = deployment.AUTHORITY_TRUST;
  const answers = files?.get(`${id}.${of}answers.pem`);
  if (!answers && id !== 'es-verifactu')
    throw new Error(`AUTHORITY_TRUST has ${id}.${of}tls.pem and no ${id}.${of}answers.pem: add the anchors of its signed answers`);
  return {
    ...{ tls: files?.get(`${id}.${of}tls.pem`), answers: answers ?? [], producer: producerOf(deployment) },
    signer: id === 'me-efi' ? (deployment.ME_EFI_SIGNER ?? signer) : signer,
  };
}

function producerOf(of: AuthoritySettings): Producer {
  const { SOFTWARE_PRODUCER: name, SOFTWARE_PRODUCER_TAX_ID: nif, SOFTWARE_NAME: system, SOFTWARE_ID: id, SOFTWARE_VERSION: version } = of;
  return name && nif && system && id && version ? { name, nif, system, id, version } : testProducer;
}
