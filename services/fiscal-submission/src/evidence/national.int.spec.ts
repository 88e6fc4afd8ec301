import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { DocumentKind } from '@svc/contracts/documents';
import { iso, prefixed, systemClock } from '@svc/kernel';
import type { Identity } from '@svc/service';
import { alCis } from '../authorities/al-cis/al-cis.ts';
import { alInvoice } from '../authorities/al-cis/testing/documents.ts';
import { alService } from '../authorities/al-cis/testing/service.ts';
import { issuers } from '../authorities/testing/documents.ts';
import { hasXmlsec } from '../authorities/testing/xmlsec.ts';
import { amendSubmissions } from '../operators/amend.ts';
import { SimulatorProcess } from '../testing/simulator-process.ts';
import { FiscalSystem, ids } from '../testing/system.ts';
import { certified } from '../xml/testing/certificates.ts';
import { FILES_PATH } from './evidence.ts';
import { runPrinted } from './testing/printed.ts';
import { verifyEvidence } from './verify.mjs';
import { filesOfZip } from './verify-zip.mjs';

let system: FiscalSystem;
afterEach(() => system.close());

async function filesOf(id: string, kind: DocumentKind = 'invoice'): Promise<Map<string, Buffer>> {
  const caller = {
    account: system.account,
    env: 'test',
    requestId: 'req_1',
    actor: { type: 'api_key', id: 'key_1' },
  } as unknown as Identity;
  const { url } = await system.fiscal.evidence.linkTo(caller, kind, id);
  return filesOfZip(await buffer((await system.fiscal.evidence.open(url.slice(url.indexOf(FILES_PATH) + FILES_PATH.length))).body));
}
const saidOf = (files: Map<string, Buffer>, ok: boolean | null): string[] =>
  verifyEvidence(files)
    .filter((one) => one.ok === ok)
    .map(({ what }) => what);
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The bundle with a file changed, and every hash of it in the manifest too. */
function forged(files: Map<string, Buffer>, name: string, from: string, to: string): Map<string, Buffer> {
  const before = files.get(name) as Buffer;
  const after = Buffer.from(before.toString().replace(from, to));
  const manifest = String(files.get('manifest.json'))
    .replaceAll(sha256(before), sha256(after))
    .replace(`"bytes": ${before.length},`, `"bytes": ${after.length},`);
  return new Map([...files, [name, after], ['manifest.json', Buffer.from(manifest)]]);
}

describe('of a signed message', () => {
  const nais = certified({ name: 'Test NAIS', isAuthority: true });
  const signer = certified({ name: 'GDT eFiskalizimi' }, nais);
  const taxpayer = certified({ name: 'Test taxpayer', serialNumber: 'L12345678A' }, nais);
  const authority = alCis({
    ...{ origin: 'https://service.test', page: 'https://page.test/invoice-check' },
    trust: { anchors: [nais.pem], signer: 'GDT eFiskalizimi' },
  });

  test('signatures, the issuer’s code and the certificates hold; what was changed in a message is found though all hashes agree', async () => {
    const { http } = alService({ signer, taxpayers: { anchors: [nais.pem], signer: 'Test taxpayer' } });
    const signing = { sign: async (_owner: object, text: string) => taxpayer.sign(text), close: async () => undefined };
    system = new FiscalSystem({
      simulatorUrl: 'http://127.0.0.1:1',
      authorities: new Map([['al-cis', authority as never]]),
      http,
      signer: signing,
    });
    const document_id = prefixed('inv', ids.next());
    await system.submit({ ...alInvoice(), document_id, issued_at: iso(systemClock.now()) });
    await system.until(document_id, 'registered');
    const files = await filesOf(document_id);
    expect(saidOf(files, false)).toEqual([]);
    expect(saidOf(files, null)).toEqual([]);
    expect(saidOf(files, true)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/request.xml: the signature of RegisterInvoiceRequest by CN=Test taxpayer/),
        expect.stringMatching(/response.xml: the signature of RegisterInvoiceResponse by CN=GDT eFiskalizimi/),
        expect.stringMatching(/the issuer's code binds L\d+/),
        expect.stringMatching(/an answer of the authority gives the code/),
      ]),
    );
    expect([...files.keys()].filter((name) => name.startsWith('certificates/'))).toEqual(['certificates/1.pem', 'certificates/2.pem']);
    const output = runPrinted(
      new Map<string, Buffer | string>([...files, ['authority-ca.pem', nais.pem]]),
      hasXmlsec ? {} : { without: /xmlsec1/ },
    );
    const { issuer_code } = (await system.until(document_id, 'registered')).registration;
    expect(output).toContain('certificates/1.pem: OK');
    expect(output).toMatch(new RegExp(`\\(iic.sig\\)= ${issuer_code.toLowerCase()}\n${issuer_code}\n[^]*Verified OK`));
    const request = 'attempts/0001-submit-request.xml';
    expect(saidOf(forged(files, request, 'TotPrice="', 'TotPrice="9'), false).join()).toContain('what it covers was changed');
    expect(saidOf(forged(files, 'records/round-1.xml', 'TotPrice="', 'TotPrice="9'), false).join()).toContain('it holds another one');
  });

  test('an answer that was not trusted when it came is shown as such, and one that was and does not hold is found', async () => {
    const { http } = alService({ signer, taxpayers: { anchors: [nais.pem], signer: 'Test taxpayer' } });
    let calls = 0;
    system = new FiscalSystem({
      simulatorUrl: 'http://127.0.0.1:1',
      authorities: new Map([['al-cis', authority as never]]),
      async http(request) {
        calls += 1;
        const answer = await http(request);
        return calls === 1 ? { ...answer, body: Buffer.from(answer.body.toString().replace('<FIC>', '<FIC>0')) } : answer;
      },
      signer: { sign: async (_owner: object, text: string) => taxpayer.sign(text), close: async () => undefined },
    });
    const document_id = prefixed('inv', ids.next());
    await system.submit({ ...alInvoice(), document_id, issued_at: iso(systemClock.now()) });
    await system.until(document_id, 'registered');
    const files = await filesOf(document_id);
    const { attempts } = JSON.parse(String(files.get('manifest.json')));
    expect(attempts.map(({ response }: { response: object }) => response)).toMatchObject([{ trusted: false }, { trusted: true }]);
    expect([saidOf(files, false), saidOf(files, null)]).toEqual([[], [expect.stringContaining('response 1 was not trusted when it came')]]);
    const trusted = 'attempts/0002-submit-response.xml';
    expect(saidOf(forged(files, trusted, 'SendDateTime="', 'SendDateTime="9'), false).join()).toContain('what it covers was changed');
  });

  test('of a document that waits for a certificate README has no command for what is not there', async () => {
    system = new FiscalSystem({ simulatorUrl: 'http://127.0.0.1:1', authorities: new Map([['al-cis', authority as never]]) });
    const { document_id } = await system.submit({ ...alInvoice(), document_id: prefixed('inv', ids.next()) });
    const files = await filesOf(document_id);
    expect([saidOf(files, false), runPrinted(files)]).toEqual([[], '']);
  });
});

test.each(['al-cis', 'me-efi'])(
  'of the first receipt of a till at %s, behind its opening, README names the message of the receipt',
  async (authority) => {
    const simulator = await SimulatorProcess.start(authority);
    system = new FiscalSystem({ simulatorUrl: simulator.url, testUrls: simulator.testUrls });
    const { documentOf } = (issuers[authority] as NonNullable<(typeof issuers)[string]>)();
    const document_id = prefixed('rcp', ids.next());
    await system.submit({ ...documentOf(iso(systemClock.now()), 3), document_id, simulate: null });
    const { registration } = await system.until(document_id, 'registered');
    const files = await filesOf(document_id, 'receipt');
    expect([...files.keys()]).toContain('attempts/0001-deposit-request.xml');
    expect([saidOf(files, false), saidOf(files, null)]).toEqual([[], []]);
    const printed = runPrinted(files, { without: hasXmlsec ? /authority-ca/ : /authority-ca|xmlsec1/ });
    expect(printed).toMatch(
      new RegExp(`\\(iic.sig\\)= ${registration.issuer_code.toLowerCase()}\n${registration.issuer_code}\n[^]*Verified OK`),
    );
    await simulator.stop();
  },
);

describe('of a chain', () => {
  test('the link and that of the record before hold; another hash is found', async () => {
    const simulator = await SimulatorProcess.start('es-verifactu');
    system = new FiscalSystem({ simulatorUrl: simulator.url, testUrls: simulator.testUrls });
    const newIssuer = issuers['es-verifactu'];
    if (!newIssuer) throw new Error('there are no documents');
    const { documentOf } = newIssuer();
    const submit = async (seq: number): Promise<string> => {
      const document_id = prefixed('inv', ids.next());
      await system.submit({ ...documentOf(iso(systemClock.now()), seq), document_id });
      await system.until(document_id, 'registered');
      return document_id;
    };
    const first = await submit(1);
    const files = await filesOf(await submit(2));
    expect(saidOf(files, false)).toEqual([]);
    for (const bundle of [files, await filesOf(first)]) {
      const { attempts, records } = JSON.parse(String(bundle.get('manifest.json')));
      const [{ hash }] = records.map(({ chain }: { chain: { hash: string } }) => chain);
      expect(runPrinted(bundle)).toContain(`${hash.toLowerCase()}  -\n${hash}\n`);
      expect(attempts.at(-1).tls).toMatchObject({
        subject: expect.stringContaining('CN='),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    }
    expect(saidOf(files, true)).toEqual(
      expect.arrayContaining([
        'link 2 of the chain has the hash of its record',
        'link 2 names the hash of the record before',
        'the record before has that hash',
      ]),
    );
    const [before] = [...files.keys()].filter((name) => name.includes('previous'));
    expect(saidOf(forged(files, before ?? '', '<sf:ImporteTotal>', '<sf:ImporteTotal>1'), false).join()).toContain(
      'the record before has that hash',
    );
    await simulator.stop();
  });

  test('of a cancellation that was refused and requested again each request holds its own record', async () => {
    const simulator = await SimulatorProcess.start('es-verifactu');
    system = new FiscalSystem({ simulatorUrl: simulator.url, testUrls: simulator.testUrls });
    const { documentOf } = (issuers['es-verifactu'] as NonNullable<(typeof issuers)[string]>)();
    const request = await system.submit({
      ...documentOf(iso(systemClock.now()), 1),
      ...{ document_id: prefixed('inv', ids.next()), simulate: 'refuse_void' },
    });
    const { document_id } = request;
    await system.until(document_id, 'registered');
    await system.consumer.on([system.cancellation(request)]);
    await system.publishedEvent('fiscal.cancellation-refused.v1', document_id);
    await system.consumer.on([system.cancellation(request, { simulate: null })]);
    await system.until(document_id, 'cancelled');
    const files = await filesOf(document_id);
    expect(saidOf(files, false)).toEqual([]);
    expect(saidOf(files, true).filter((what) => what.endsWith('holds the cancellation'))).toEqual([
      'request 2 holds the cancellation',
      'request 3 holds the cancellation',
    ]);
    const { records } = JSON.parse(String(files.get('manifest.json')));
    const printed = runPrinted(files);
    for (const { chain } of records) expect(printed).toContain(`${chain.hash.toLowerCase()}  -\n${chain.hash}\n`);
    await simulator.stop();
  });

  test('of a record that was amended both are there, and the next one is behind the amendment', async () => {
    const simulator = await SimulatorProcess.start('es-verifactu');
    system = new FiscalSystem({ simulatorUrl: simulator.url, testUrls: simulator.testUrls });
    const { documentOf } = (issuers['es-verifactu'] as NonNullable<(typeof issuers)[string]>)();
    const submit = async (seq: number, simulate: string | null): Promise<string> => {
      const document_id = prefixed('inv', ids.next());
      await system.submit({ ...documentOf(iso(systemClock.now()), seq), document_id, simulate });
      await system.until(document_id, 'registered');
      return document_id;
    };
    const wrong = await submit(1, 'accepted_with_errors:2005');
    const isListed = async (): Promise<boolean> => (await system.row(wrong))?.flawed === '2005';
    while (!(await isListed())) await systemClock.sleep(10);
    const asked = { authority: 'es-verifactu', code: '2005', livemode: false, after: '', limit: 1, confirm: true };
    const { rows } = await amendSubmissions(system.fiscal.context, asked);
    system.fiscal.worker.take(rows);
    while (await isListed()) await systemClock.sleep(10);
    const files = await filesOf(wrong);
    expect(saidOf(files, false)).toEqual([]);
    expect(saidOf(files, true)).toEqual(
      expect.arrayContaining([
        'request 1 holds the record of round 1',
        'request 2 holds the record of amendment 1',
        'link 2 of the chain has the hash of its record',
      ]),
    );
    const next = await filesOf(await submit(2, null));
    expect([saidOf(next, false), saidOf(next, true)]).toEqual([[], expect.arrayContaining(['the record before has that hash'])]);
    await simulator.stop();
  });
});
