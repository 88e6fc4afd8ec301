import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testAnchors } from '@svc/fiscal-submission/authorities/test-certificates';
import { client, eventually, freePort, type Program, startProgram, type System, untilReady } from '@svc/testkit';
import { openAccount } from '../../e2e/testing/accounts.ts';
import { shopOf, type Shop } from './shop.ts';

export type LiveAuthority = 'al-cis' | 'es-verifactu';

/** The simulator in a process of its own, which live documents are sent to: it can go away and come back. */
export interface LiveAuthorities {
  /** Origin of its operators' calls. */
  url: string;
  origin(authority: LiveAuthority): string;
  /** By which a system takes it for the authorities themselves. */
  env: Record<string, string>;
  /** The next `times` calls about this issuer have the fault. */
  fault(shop: Shop, fault: string, times?: number): Promise<void>;
  withoutFaults(): Promise<unknown>;
  /** Sets the clocks of all authorities ahead of the machine's; after a start they are right. */
  setAhead(ms: number): Promise<void>;
  leave(): Promise<unknown>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

const SIMULATOR = 'services/authority-simulator/dist/start.mjs';
const SOFTWARE = {
  ...{ SOFTWARE_PRODUCER: 'Producer SL', SOFTWARE_PRODUCER_TAX_ID: '89890001K', SOFTWARE_NAME: 'Invoicing' },
  ...{ SOFTWARE_ID: '77', SOFTWARE_VERSION: '1.2' },
};

export async function startLiveAuthorities(): Promise<LiveAuthorities> {
  const folder = mkdtempSync(join(tmpdir(), 'live-authorities-'));
  for (const [id, pem] of Object.entries(testAnchors))
    for (const use of ['tls', 'answers']) writeFileSync(join(folder, `${id}.${use}.pem`), pem);
  const [port, albania, spain] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const origins: Record<LiveAuthority, string> = { 'al-cis': `https://127.0.0.1:${albania}`, 'es-verifactu': `https://127.0.0.1:${spain}` };
  const ports = { SIMULATOR_PORT: `${port}`, AL_CIS_PORT: `${albania}`, ES_VERIFACTU_PORT: `${spain}` };
  let program: Program | undefined;
  async function comeBack(): Promise<void> {
    if (program && program.ended() === undefined) return;
    program = startProgram(SIMULATOR, { env: { ...ports, LEDGER_FILE: join(folder, 'ledger.sqlite'), LOG_LEVEL: 'warn' } });
    await untilReady(`${url}/healthz`, program);
  }
  const operate = async (path: string, body: object): Promise<void> => {
    const { status, text } = await client(url)('POST', path, { body });
    if (status >= 300) throw new Error(text);
  };
  await comeBack();
  return {
    url,
    origin: (authority) => origins[authority],
    env: { AL_CIS_URL: origins['al-cis'], ES_VERIFACTU_URL: origins['es-verifactu'], AUTHORITY_TRUST: folder, ...SOFTWARE },
    fault: ({ authority, tax_id }, fault, times = 1) => operate('/faults', { authority, tax_id, fault, times }),
    withoutFaults: () => client(url)('DELETE', '/faults'),
    async setAhead(ms) {
      for (const authority of Object.keys(origins)) await operate('/clock', { authority, ahead: ms / 1_000 });
    },
    leave: () => program?.kill() ?? Promise.resolve(),
    comeBack,
    async stop() {
      await program?.kill();
      rmSync(folder, { recursive: true });
    },
  };
}

/** What a live issuer has of the test issuer that a simulator knows. */
const COPIED = [
  'tax_id',
  'address',
  'country',
  'currency',
  'time_zone',
  'default_tax_rate',
  'units',
  'operators',
  'software_code',
] as const;

interface Issuer extends Record<(typeof COPIED)[number], unknown> {
  tax_id: string;
  devices: { code: string; maintainer_code: string | null; authority_code: string | null }[];
  setup: { ready: boolean };
}

/** Test issuers of Albania begin with one that no rule would pass. */
const TAX_IDS: Partial<Record<LiveAuthority, string>> = { 'al-cis': 'L91806031N' };

/** A live issuer of the authority with its certificate, in an account of its own. */
export async function openLiveShop(system: System, { url }: LiveAuthorities, authority: LiveAuthority): Promise<Shop> {
  const { test, live } = await openAccount(system, authority);
  const { body: known } = await test<Issuer>('PATCH', '/issuer', { body: { authority } });
  const own = Object.fromEntries(COPIED.map((field) => [field, known[field]]));
  const devices = known.devices.map(({ code, authority_code, maintainer_code }) => ({ code, authority_code, maintainer_code }));
  const { [authority]: tax_id = known.tax_id } = TAX_IDS;
  const issuer = await live('PATCH', '/issuer', { body: { legal_name: 'Blue Door Books', authority, ...own, tax_id, devices } });
  if (issuer.status !== 200) throw new Error(issuer.text);
  const { body: file } = await client(url)<{ certificate: string; passphrase: string }>('POST', '/certificates', {
    body: { authority, tax_id, days: 100 },
  });
  const { certificate, passphrase } = file;
  const put = await live('PUT', '/fiscal-credentials', { body: { certificate, passphrase } });
  if (put.status >= 300) throw new Error(put.text);
  await eventually(async () => {
    const { setup } = (await live<Issuer>('GET', '/issuer')).body;
    return setup.ready || Promise.reject(new Error(JSON.stringify(setup)));
  }, 'the setup of the live issuer');
  return shopOf(live, authority);
}
