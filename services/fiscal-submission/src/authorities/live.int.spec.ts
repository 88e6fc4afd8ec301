import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { iso, systemClock } from '@svc/kernel';
import { loadConfig, type Identity } from '@svc/service';
import { withAuthoritySettings } from '@svc/service/process/authority-settings';
import { checkCredentials } from '../checking/check.ts';
import { putCredentials } from '../credentials/put.ts';
import { attemptEntry } from '../submission/attempts.ts';
import { readSubmission } from '../submission/submissions.ts';
import { SimulatorProcess } from '../testing/simulator-process.ts';
import { FiscalSystem, ids } from '../testing/system.ts';
import { testAnchors } from './test-certificates.ts';
import { issuers } from './testing/documents.ts';

/** The simulator plays the authorities themselves: its certification authority is the one that the deployment trusts. */
let simulator: SimulatorProcess;
const folders: string[] = [];
beforeAll(async () => {
  simulator = await SimulatorProcess.start('al-cis', 'me-efi', 'es-verifactu');
});
afterAll(async () => {
  await simulator.stop();
  for (const folder of folders) rmSync(folder, { recursive: true });
});
afterEach(() => fetch(`${simulator.url}/faults`, { method: 'DELETE' }));

const software = {
  ...{ SOFTWARE_PRODUCER: 'Producer SL', SOFTWARE_PRODUCER_TAX_ID: '89890001K', SOFTWARE_NAME: 'Invoicing' },
  ...{ SOFTWARE_ID: '77', SOFTWARE_VERSION: '1.2', ME_EFI_SIGNER: 'Test fiscal service of Montenegro' },
};

/** The deployment's settings as its process reads them. */
function deploymentWith(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'trust-'));
  folders.push(folder);
  for (const [name, pem] of Object.entries(files)) writeFileSync(join(folder, name), pem);
  return loadConfig(withAuthoritySettings(class {}), { ...software, AUTHORITY_TRUST: folder });
}
const trusting = (of: Partial<Record<string, string>> = {}) =>
  deploymentWith(
    Object.fromEntries(
      Object.entries(testAnchors).flatMap(([id, pem]) => [
        [`${id}.tls.pem`, of[`${id}.tls.pem`] ?? pem],
        [`${id}.answers.pem`, of[`${id}.answers.pem`] ?? pem],
      ]),
    ),
  );

type Authority = keyof typeof testAnchors;
const callerOf = ({ account }: FiscalSystem): Identity =>
  ({ ...{ account, env: 'live', livemode: true, commandId: ids.next() }, actor: { type: 'api_key', id: 'key_1' } }) as unknown as Identity;

/** A live issuer with its certificate, and its documents. */
async function opened(authority: Authority, deployment = trusting()) {
  const system = new FiscalSystem({ simulatorUrl: simulator.url, liveUrls: simulator.testUrls, deployment });
  const { tax_id, documentOf } = issuers[authority]!();
  const file = await simulator.operate<{ certificate: string; passphrase: string }>('/certificates', { authority, tax_id, days: 100 });
  const { certificate, passphrase } = file;
  await putCredentials(system.fiscal.credentials, callerOf(system), { certificate, passphrase }, { authority, tax_id });
  const stateOf = (id: string) => readSubmission(system.fiscal.context.streams, 'live', system.account, id);
  return {
    ...{ system, tax_id, stateOf },
    async submit(seq: number) {
      const { document_id } = system.requested().data;
      const data = { ...documentOf(iso(systemClock.now()), seq), simulate: null, document_id };
      await system.consumer.on([system.requested(data, 'live')]);
      return document_id;
    },
    async until(id: string, holds: (state: Awaited<ReturnType<typeof stateOf>>) => boolean) {
      for (let waited = 0; waited < 20_000; waited += 20) {
        const state = await stateOf(id);
        if (holds(state)) return state;
        await systemClock.sleep(20);
      }
      throw new Error(JSON.stringify(await stateOf(id)));
    },
  };
}
const all = Object.keys(testAnchors) as Authority[];
const isRegistered = ({ status }: { status: string }): boolean => status === 'registered';
const firstCode = (state: Awaited<ReturnType<typeof readSubmission>>): string | undefined =>
  state.status === 'none' ? undefined : state.attempts.map(attemptEntry).find(({ error }) => error)?.error?.code;

test.each(all)('a live document goes to %s with the certificate of its issuer, and names no account', async (authority) => {
  const live = await opened(authority);
  const id = await live.submit(1);
  const { registration } = (await live.until(id, isRegistered)) as unknown as { registration: { verification_url: string } };
  expect(registration.verification_url).not.toMatch(/test|pre/);
  const { data } = await simulator.operate<{ data: { request: string }[] }>(`/wire?authority=${authority}&limit=500`);
  const request = Buffer.from(data.at(-1)?.request ?? '', 'base64').toString();
  expect(request).toContain(authority === 'es-verifactu' ? '<sf:NombreRazon>Producer SL</sf:NombreRazon>' : live.tax_id);
  const checked = await checkCredentials(live.system.fiscal.checking.context, callerOf(live.system), { authority, tax_id: live.tax_id });
  expect(checked).toMatchObject({ ready: true });
  await live.system.close();
});

test.each(all)('what the certification authority of another country has issued is not %s', async (authority) => {
  const other = testAnchors[authority === 'me-efi' ? 'al-cis' : 'me-efi'];
  const live = await opened(authority, trusting({ [`${authority}.tls.pem`]: other }));
  const id = await live.submit(1);
  const state = await live.until(id, (found) => firstCode(found) !== undefined);
  expect([state.status, firstCode(state)]).toEqual(['pending', 'unreachable']);
  const checked = await checkCredentials(live.system.fiscal.checking.context, callerOf(live.system), { authority, tax_id: live.tax_id });
  expect(checked.checks.find(({ id: of }) => of === 'connection')).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('not accepted'),
  });
  await live.system.close();
});

test.each([
  ['bad_signature', 'untrusted_answer'],
  ['wrong_signer', 'untrusted_answer'],
  ['wrong_request_id', 'wrong_request'],
] as const)('an answer with %s registers nothing, and the next one that can be trusted does', async (fault, code) => {
  const live = await opened('al-cis');
  await simulator.operate('/faults', { authority: 'al-cis', tax_id: live.tax_id, fault, times: 1 });
  const id = await live.submit(1);
  const state = await live.until(id, isRegistered);
  expect(firstCode(state)).toBe(code);
  await live.system.close();
});

test('answers that are signed under other anchors than the deployment’s are not trusted', async () => {
  const live = await opened('al-cis', trusting({ 'al-cis.answers.pem': testAnchors['es-verifactu'] }));
  const id = await live.submit(1);
  expect(firstCode(await live.until(id, (found) => firstCode(found) !== undefined))).toBe('untrusted_answer');
  await live.system.close();
});

test('without trust anchors nothing live is sent, and the document is refused for the setup', async () => {
  const live = await opened('al-cis', deploymentWith({}));
  const id = await live.submit(1);
  const state = await live.until(id, ({ status }) => status === 'rejected');
  expect(state).toMatchObject({ error: { code: 'authority_not_served', fixable: 'setup' } });
  await live.system.close();
});

test('a test connection to the authority’s own test service trusts its anchors, and no published certificate signs for it', async () => {
  const deployment = deploymentWith({ 'al-cis.test.tls.pem': testAnchors['al-cis'], 'al-cis.test.answers.pem': testAnchors['al-cis'] });
  const system = new FiscalSystem({ simulatorUrl: simulator.url, testUrls: simulator.testUrls, deployment });
  expect(system.fiscal.context.authorities.test.get('al-cis')?.isSimulated).toBeUndefined();
  expect(system.fiscal.context.authorities.test.get('me-efi')?.isSimulated).toBe(true);
  const { documentOf } = issuers['al-cis']!();
  const { document_id } = system.requested().data;
  await system.submit({ ...documentOf(iso(systemClock.now()), 1), simulate: null, document_id });
  const delayed = await system.publishedEvent('fiscal.document-delayed.v1', document_id);
  expect(delayed.data).toMatchObject({ error: { code: 'credentials_missing' } });
  await system.close();
});
