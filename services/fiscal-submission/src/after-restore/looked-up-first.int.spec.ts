import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { iso, systemClock } from '@svc/kernel';
import { issuers } from '../authorities/testing/documents.ts';
import { NotSent } from '../sending/http.ts';
import { ahead, FiscalSystem } from '../testing/system.ts';
import { SimulatorProcess } from '../testing/simulator-process.ts';

const AUTHORITY = 'es-verifactu';
let simulator: SimulatorProcess;
const folders: string[] = [];
beforeAll(async () => {
  simulator = await SimulatorProcess.start(AUTHORITY);
});
afterAll(async () => {
  await simulator.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const sendings = async (): Promise<number> => {
  const { data } = await simulator.operate<{ data: { operation: string }[] }>(`/wire?authority=${AUTHORITY}&limit=500`);
  return data.filter(({ operation }) => operation === 'RegFactuSistemaFacturacion').length;
};

/** A backup of a system with two records that could not be sent. `goOn`: with the system, whose authority is reached again; `restore`: with the backup. */
async function backedUp() {
  const { documentOf } = issuers[AUTHORITY]!();
  const options = { simulatorUrl: simulator.url, testUrls: simulator.testUrls };
  const system = new FiscalSystem({ ...options, http: () => Promise.reject(new NotSent('it cannot be reached')) });
  const { account } = system;
  const submit = async (seq: number): Promise<string> => {
    const { document_id } = system.requested().data;
    await system.submit({ ...documentOf(iso(systemClock.now()), seq), simulate: null, document_id });
    return document_id;
  };
  const documents = [await submit(1), await submit(2)] as const;
  await system.deferred(documents[0]);
  const { prepared } = await system.until(documents[1], 'pending');
  await system.fiscal.background.beforeApplicationShutdown();
  system.crash();
  const folder = mkdtempSync(join(tmpdir(), 'restored-'));
  folders.push(folder, system.folder);
  cpSync(system.folder, folder, { recursive: true });
  const goOn = () => Object.assign(new FiscalSystem({ ...options, folder: system.folder }), { account });
  const restore = (): FiscalSystem => {
    const at = iso(systemClock.now() + 1_000);
    return Object.assign(new FiscalSystem({ ...options, folder, restored: { at }, clock: ahead(2_000) }), { account });
  };
  return { documents, hash: prepared.issuer_code, goOn, restore };
}

/** Of the attempts of this process, which are behind those of the backup: it has sent nothing. */
const kindsSince = async (system: FiscalSystem, document: string) =>
  (await system.attempts(document)).filter(({ http_status }) => http_status !== null).map(({ kind, outcome }) => [kind, outcome]);

test('records that were registered after the backup are found by a look-up, and sent no second time', async () => {
  const { documents, hash, goOn, restore } = await backedUp();
  const system = goOn();
  for (const one of documents) await system.until(one, 'registered');
  await system.close();
  const sent = await sendings();
  const restored = restore();
  for (const one of documents) {
    await restored.until(one, 'registered');
    const { data } = await restored.publishedEvent('fiscal.document-registered.v1', one);
    expect(data).toMatchObject({ code_kind: 'request_id' });
    expect(await kindsSince(restored, one)).toEqual([['query', 'registered']]);
    const news = restored.published.filter(({ type, subject }) => type === 'fiscal.document-delayed.v1' && subject === one);
    expect(news.at(-1)).toMatchObject({ data: { status: 'unknown', error: { code: 'restored' } } });
  }
  expect((await restored.until(documents[1], 'registered')).registration.issuer_code).toBe(hash);
  expect(await sendings()).toBe(sent);
  await restored.close();
});

test('records that the authority does not have are sent with the link that they had', async () => {
  const { documents, hash, restore } = await backedUp();
  const restored = restore();
  for (const [n, one] of documents.entries()) {
    const { registration } = await restored.until(one, 'registered');
    expect(registration.chain).toMatchObject({ position: n + 1 });
    expect(await kindsSince(restored, one)).toEqual([
      ['query', 'deferred'],
      ['submit', 'registered'],
    ]);
  }
  expect((await restored.until(documents[1], 'registered')).registration.issuer_code).toBe(hash);
  await restored.close();
});
