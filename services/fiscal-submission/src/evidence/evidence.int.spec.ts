import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SettingChange, SettingChangedV1 } from '@svc/contracts/audit/setting-changed';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import { FILES_PATH } from './evidence.ts';
import type { Env } from '@svc/kernel';
import type { Identity } from '@svc/service';
import { resolveSubmission } from '../submission/resolve.ts';
import { SimulatorProcess } from '../testing/simulator-process.ts';
import { FiscalSystem, ids } from '../testing/system.ts';
import { verifyEvidence } from './verify.mjs';
import { filesOfZip } from './verify-zip.mjs';

let simulator: SimulatorProcess;
let system: FiscalSystem;
beforeAll(async () => {
  simulator = await SimulatorProcess.start();
  system = new FiscalSystem({ simulatorUrl: simulator.url });
});
afterAll(async () => {
  await system.close();
  await simulator.stop();
});

const caller = (account = system.account, env: Env = 'test'): Identity =>
  ({ account, env, commandId: ids.next(), requestId: 'req_1', actor: { type: 'api_key', id: 'key_1' } }) as unknown as Identity;

async function filesOf(id: string): Promise<Map<string, Buffer>> {
  const { url } = await system.fiscal.evidence.linkTo(caller(), 'invoice', id);
  const { body } = await system.fiscal.evidence.open(url.slice(url.indexOf(FILES_PATH) + FILES_PATH.length));
  return filesOfZip(await buffer(body));
}
const manifestIn = (files: Map<string, Buffer>) => JSON.parse(String(files.get('manifest.json')));
const failedIn = (files: Map<string, Buffer>): string[] =>
  verifyEvidence(files)
    .filter(({ ok }) => ok === false)
    .map(({ what }) => what);

async function registered(simulate: string | null = null): Promise<string> {
  const { document_id } = await system.submit({ simulate });
  await system.until(document_id, 'registered');
  return document_id;
}

test('evidence holds the bytes of every attempt, the record, its code and the program, and all of it can be checked', async () => {
  const id = await registered('lost_reply');
  const files = await filesOf(id);
  const manifest = manifestIn(files);
  const { registration } = await system.until(id, 'registered');
  expect(manifest).toMatchObject({
    ...{ object: 'evidence', livemode: false, authority: 'sandbox', status: 'registered' },
    document: { id, kind: 'invoice' },
    registration: { code: registration.code, issuer_code: registration.issuer_code, qr: 'qr.svg' },
    attempts: [
      { n: 1, kind: 'submit', outcome: 'unknown', response: null, request: { file: 'attempts/0001-submit-request.json' } },
      { n: 2, kind: 'query', outcome: 'registered', request: { file: 'attempts/0002-query-request.txt' } },
    ],
    records: [{ round: 1, file: 'records/round-1.json', chain: null }],
  });
  const { record } = JSON.parse(String(files.get('attempts/0001-submit-request.json'))) as { record: string };
  expect(String(files.get('records/round-1.json'))).toBe(record);
  expect([...files.keys()]).toEqual(expect.arrayContaining(['README.txt', 'qr.svg', 'verify.mjs', 'verify-xml.mjs', 'verify-zip.mjs']));
  expect(failedIn(files)).toEqual([]);
});

test.each([
  ['attempts/0001-submit-response.json', 'it was changed'],
  ['records/round-1.json', 'it was changed'],
  ['README.txt', 'it was changed'],
])('a change of %s is found', async (name, problem) => {
  const files = await filesOf(await registered());
  const bytes = Buffer.from(files.get(name) as Buffer);
  bytes[bytes.length - 2] = (bytes.at(-2) as number) ^ 1;
  expect(failedIn(new Map([...files, [name, bytes]])).join()).toContain(problem);
  expect(failedIn(new Map([...files].filter(([one]) => one !== name))).join()).toContain('is missing');
});

test('a file that the manifest does not list is found', async () => {
  const files = await filesOf(await registered());
  expect(failedIn(new Map([...files, ['attempts/0003-submit-request.json', Buffer.from('{}')]]))).toHaveLength(1);
});

test('the program in the bundle checks it, and one byte that was changed ends it with 1', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'evidence-'));
  const { url } = await system.fiscal.evidence.linkTo(caller(), 'invoice', await registered());
  const zip = await buffer((await system.fiscal.evidence.open(url.slice(url.indexOf(FILES_PATH) + FILES_PATH.length))).body);
  const file = join(folder, 'evidence.zip');
  writeFileSync(file, zip);
  execFileSync('unzip', ['-q', file, '-d', folder]);
  const run = (...given: string[]): string => execFileSync(process.execPath, [join(folder, 'verify.mjs'), ...given]).toString();
  expect(run(file)).toMatch(/All of \d+ checks hold/);
  rmSync(file);
  expect(run()).toMatch(/All of \d+ checks hold/);
  writeFileSync(join(folder, 'qr.svg'), '<svg/>');
  expect(() => run()).toThrow(expect.objectContaining({ status: 1 }));
  rmSync(folder, { recursive: true });
});

test('who ended a doubt by hand, and why, is in it', async () => {
  const { document_id: id } = await system.submit({ simulate: 'duplicate_foreign' });
  await system.until(id, 'needs_review');
  await resolveSubmission(system.fiscal.context, caller(), {
    id,
    resolution: { outcome: 'registered', code: 'BY-HAND', note: 'seen there' },
  });
  const files = await filesOf(id);
  expect(manifestIn(files).resolved).toEqual([
    {
      outcome: 'registered',
      code: 'BY-HAND',
      note: 'seen there',
      at: expect.stringMatching(/Z$/),
      actor: { type: 'api_key', id: 'key_1' },
    },
  ]);
  expect(failedIn(files)).toEqual([]);
});

test('bytes that are not kept any more are named, and the rest can be checked', async () => {
  const id = await registered();
  const [attempt] = await system.attempts(id);
  await system.fiscal.context.wireLog.write([{ delete: `${attempt?.message_id}.received` }]);
  const files = await filesOf(id);
  const [of] = manifestIn(files).attempts;
  expect([of.response.file, of.response.sha256]).toEqual([null, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  expect(failedIn(files)).toEqual([]);
});

test('what was not submitted, and what another account or environment has, is not found', async () => {
  const id = await registered();
  const { evidence } = system.fiscal;
  const refused = { code: 'not_found' };
  await expect(evidence.linkTo(caller(), 'invoice', `inv_${ids.next()}`)).rejects.toMatchObject(refused);
  await expect(evidence.linkTo(caller(), 'receipt', id)).rejects.toMatchObject(refused);
  await expect(evidence.linkTo(caller(`acct_${ids.next()}`), 'invoice', id)).rejects.toMatchObject(refused);
  await expect(evidence.linkTo(caller(system.account, 'live'), 'invoice', id)).rejects.toMatchObject(refused);
  await expect(evidence.open('changed.signature')).rejects.toMatchObject(refused);
});

test('an account opens two bundles at a time', async () => {
  const { evidence } = system.fiscal;
  const { url } = await evidence.linkTo(caller(), 'invoice', await registered());
  const token = url.slice(url.indexOf(FILES_PATH) + FILES_PATH.length);
  const [first, second] = [await evidence.open(token), await evidence.open(token)];
  await expect(evidence.open(token)).rejects.toMatchObject({ code: 'service_unavailable' });
  await Promise.all([once(first.body, 'close'), first.body.destroy(), buffer(second.body)]);
  await buffer((await evidence.open(token)).body);
});

test('who asked for evidence is published for the audit, once', async () => {
  const id = await registered();
  await system.fiscal.evidence.linkTo(caller(), 'invoice', id);
  const changes = () => system.direct as PublicEvent<SettingChange>[];
  const audited = () => changes().filter(({ type, data }) => type === SettingChangedV1.type && data.target.id === id);
  for (let n = 0; n < 500 && audited().length === 0; n += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(audited().map(({ data }) => data)).toEqual([
    expect.objectContaining({ action: 'invoice.evidence_read', actor: { type: 'api_key', id: 'key_1' }, request_id: 'req_1', changes: {} }),
  ]);
});
