import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SettingChange } from '@svc/contracts/audit/setting-changed';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import { iso, systemClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { register } from '@svc/service';
import { issuers } from '../authorities/testing/documents.ts';
import { NotSent } from '../sending/http.ts';
import { ahead, FiscalSystem } from '../testing/system.ts';
import { SimulatorProcess } from '../testing/simulator-process.ts';
import { compareChain, listChains, openChain, restartChain } from './operators.ts';

let simulator: SimulatorProcess;
const folders: string[] = [];
beforeAll(async () => {
  simulator = await SimulatorProcess.start('es-verifactu');
});
afterAll(async () => {
  await simulator.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * A system with one registered record, whose request comes again, one that is registered after the backup, and the system that is restored from it. `isEmpty`: the
 * backup has neither.
 */
async function restored({ isEmpty = false } = {}) {
  const { documentOf } = issuers['es-verifactu']!();
  const options = { simulatorUrl: simulator.url, testUrls: simulator.testUrls };
  const first = new FiscalSystem(options);
  const requested = (on: FiscalSystem, seq: number) => {
    const { document_id } = on.requested().data;
    return on.requested({ ...documentOf(iso(systemClock.now()), seq), simulate: null, document_id });
  };
  const submit = async (on: FiscalSystem, seq: number) => {
    const request = requested(on, seq);
    await on.consumer.on([request]);
    return request.subject;
  };
  const folder = mkdtempSync(join(tmpdir(), 'restored-'));
  folders.push(folder);
  const backUp = (): void => cpSync(first.folder, folder, { recursive: true });
  if (isEmpty) backUp();
  const again = requested(first, 1);
  await first.consumer.on([again]);
  await first.until(again.subject, 'registered');
  if (!isEmpty) backUp();
  const lost = await submit(first, 2);
  const { registration } = await first.until(lost, 'registered');
  const { account } = first;
  await first.close();
  // The account is older than the restore.
  const at = iso(systemClock.now() + 1_000);
  const next = Object.assign(new FiscalSystem({ ...options, folder, restored: { at }, clock: ahead(2_000) }), { account });
  // A query finds records by the month of their supply.
  const { month } = JSON.parse(registration.reference ?? '') as { month: string };
  return { next, again, month, lost: registration.issuer_code, submit: (seq: number) => submit(next, seq) };
}

async function held(system: FiscalSystem, document: string): Promise<string> {
  const delayed = await system.publishedEvent('fiscal.document-delayed.v1', document);
  expect(delayed.data).toMatchObject({ error: { code: 'chain_closed', fixable: 'setup' } });
  const [row] = (await listChains(system.fiscal.chainContext, false)) as { chain: string }[];
  return row?.chain ?? '';
}

/** What the audit of the account gets of an operator. */
async function audited({ direct, account }: FiscalSystem): Promise<SettingChange | undefined> {
  const found = () =>
    (direct as PublicEvent<SettingChange>[]).find(({ subject, data }) => subject === account && data.target?.type === 'chain');
  await until(async () => found() !== undefined);
  return found()?.data;
}

const closedChains = async (): Promise<string | undefined> =>
  /^svc_chains_closed\{authority="es-verifactu",env="test"\} (\d+)$/m.exec(
    await register.getSingleMetricAsString('svc_chains_closed'),
  )?.[1];

test('after a restore a chain is closed; what the authority has and the backup has not is listed, and the chain begins anew', async () => {
  const { next, month, lost, submit } = await restored();
  expect(await closedChains()).toBe('0');
  const document = await submit(3);
  const chain = await held(next, document);
  expect(await closedChains()).toBe('1');
  const context = next.fiscal.chainContext;
  const found = await compareChain(context, { chain, month });
  expect(found).toMatchObject({ at_authority: 2, here: 1, lost: [{ number: 'INV-2', hash: lost }] });
  expect(await restartChain(context, { chain, confirm: false })).toMatchObject({ done: false });
  expect((await next.state(document)).status).toBe('opened');
  const { installation } = (await restartChain(context, { chain, confirm: true })) as { installation: string };
  expect(installation).toMatch(/^[0-9A-F]{20}$/);
  expect(await audited(next)).toMatchObject({
    ...{ action: 'chain.restarted', actor: { type: 'operator' }, target: { type: 'chain', id: chain } },
    changes: { installation: { from: null, to: installation } },
  });
  expect(await closedChains()).toBe('0');
  await next.until(document, 'registered');
  const following = await submit(4);
  await next.until(following, 'registered');
  const { data } = await simulator.operate<{ data: { request: string }[] }>('/wire?authority=es-verifactu&limit=500');
  const [one, two] = data.slice(-2).map(({ request }) => Buffer.from(request, 'base64').toString());
  expect(one).toContain('<sf:PrimerRegistro>S</sf:PrimerRegistro>');
  expect(two).not.toContain('PrimerRegistro');
  for (const request of [one, two]) expect(request).toContain(`<sf:NumeroInstalacion>${installation}</sf:NumeroInstalacion>`);
  expect(await listChains(context, true)).toMatchObject([{ chain, livemode: false, authority: 'es-verifactu' }]);
  await next.close();
});

test('a chain of which the authority has no more goes on where it stood', async () => {
  const { next, submit } = await restored();
  const document = await submit(3);
  const chain = await held(next, document);
  expect(await openChain(next.fiscal.chainContext, { chain, confirm: true })).toMatchObject({ done: true });
  expect(await audited(next)).toMatchObject({ action: 'chain.opened', actor: { type: 'operator' }, target: { id: chain } });
  const { registration } = await next.until(document, 'registered');
  expect(registration.chain).toMatchObject({ position: 2 });
  await next.close();
});

test('a chain that the backup has is listed as soon as the requests of its documents are read again, and counted once a document asks for it', async () => {
  const { next, again, submit } = await restored();
  await next.consumer.on([again]);
  const listed = () => listChains(next.fiscal.chainContext, false);
  const [{ chain }] = (await listed()) as [{ chain: string }];
  expect(await listed()).toEqual([
    {
      chain,
      account: next.account,
      livemode: false,
      authority: 'es-verifactu',
      tax_id: again.data.issuer.tax_id,
      length: 1,
      awaited: false,
    },
  ]);
  expect(await closedChains()).toBe('0');
  await held(next, await submit(3));
  expect(await listed()).toMatchObject([{ chain, length: 1, awaited: true }]);
  expect(await closedChains()).toBe('1');
  await next.close();
});

test('a chain of which the backup has no record is compared by a document that waits for it', async () => {
  const { next, month, lost, submit } = await restored({ isEmpty: true });
  const chain = await held(next, await submit(3));
  const found = await compareChain(next.fiscal.chainContext, { chain, month });
  expect(found).toMatchObject({ at_authority: 2, here: 0, lost: [{ number: 'INV-1' }, { number: 'INV-2', hash: lost }] });
  await next.close();
});

test('a chain that was not noted is none of the restore', async () => {
  const { next, month } = await restored();
  await expect(compareChain(next.fiscal.chainContext, { chain: 'chain-test.x', month })).rejects.toMatchObject({ code: 'not_found' });
  await next.close();
});

test('an operator reads why an authority lists nothing', async () => {
  const { next, month, submit } = await restored();
  const chain = await held(next, await submit(3));
  const away = { ...next.fiscal.chainContext, http: () => Promise.reject(new NotSent('the service cannot be reached')) };
  await expect(compareChain(away, { chain, month })).rejects.toMatchObject({
    code: 'service_unavailable',
    message: 'es-verifactu has not listed it: the service cannot be reached',
  });
  await next.close();
});
