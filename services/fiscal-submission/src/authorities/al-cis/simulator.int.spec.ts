import { randomUUID } from 'node:crypto';
import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { iso, systemClock } from '@svc/kernel';
import { outgoingHttp } from '../../sending/http.ts';
import { send } from '../../submission/send.ts';
import { SimulatorProcess } from '../../testing/simulator-process.ts';
import { FiscalSystem } from '../../testing/system.ts';
import { issuers } from '../testing/documents.ts';
import { publishedSigner } from '../testing/published.ts';

const DAY_MS = 86_400_000;
let simulator: SimulatorProcess;
const outgoing = outgoingHttp(systemClock);
beforeAll(async () => {
  simulator = await SimulatorProcess.start('al-cis', 'me-efi');
});
afterAll(async () => {
  await outgoing.close();
  await simulator.stop();
});
const open = (): FiscalSystem => new FiscalSystem({ simulatorUrl: simulator.url, testUrls: simulator.testUrls });

describe.each(['al-cis', 'me-efi'])('%s', (authority) => {
  const newIssuer = issuers[authority] as NonNullable<(typeof issuers)[string]>;
  const RECEIPT = 3;
  const INVOICE = 1;

  async function submitted(system: FiscalSystem, of: Partial<RegistrationRequested>) {
    const { document_id } = system.requested().data;
    const data = await system.submit({ ...of, simulate: null, document_id });
    const { registration } = await system.until(data.document_id, 'registered');
    return { data, registration, kinds: (await system.attempts(data.document_id)).map(({ kind, outcome }) => [kind, outcome]) };
  }

  test('a receipt opens its till, and an issuer without a certificate signs with a published one', async () => {
    const system = open();
    const { documentOf } = newIssuer();
    const { kinds, registration } = await submitted(system, documentOf(iso(systemClock.now()), RECEIPT));
    expect(kinds).toEqual([
      ['deposit', 'registered'],
      ['submit', 'registered'],
    ]);
    expect(registration).toMatchObject({ late: false, issuer_code: expect.stringMatching(/^[0-9A-F]{32}$/) });
    await system.close();
  });

  test('a receipt of yesterday opens its till for that day, late', async () => {
    const system = open();
    const { documentOf } = newIssuer();
    const { registration } = await submitted(system, documentOf(iso(systemClock.now() - DAY_MS), RECEIPT));
    expect(registration).toMatchObject({ late: true });
    await system.close();
  });

  test('a corrective takes an invoice back', async () => {
    const system = open();
    const { documentOf } = newIssuer();
    const issued_at = iso(systemClock.now());
    const { data, registration } = await submitted(system, documentOf(issued_at, INVOICE));
    const original = { ...data, issuer_code: registration.issuer_code, fiscal_code: registration.code };
    const next = documentOf(issued_at, INVOICE + 1);
    const document = { ...next.document, type: 'credit_note', corrects: data.document_id } as RegistrationRequested['document'];
    await submitted(system, { ...next, document, original });
    await system.close();
  });

  test('where the clocks differ nothing is processed, and the document goes when they agree', async () => {
    const system = open();
    const { documentOf } = newIssuer();
    const { document_id } = system.requested().data;
    const data = await system.submit({ ...documentOf(iso(systemClock.now()), INVOICE), document_id, simulate: 'clock:300' });
    await system.until(data.document_id, 'registered');
    const attempts = await system.attempts(data.document_id);
    expect(attempts[0]).toMatchObject({ outcome: 'deferred', error: { code: '2' } });
    await system.close();
  });

  test('a till is registered once, by its unit and internal name; its receipts name its code', async () => {
    const system = open();
    const { tax_id, documentOf } = newIssuer();
    const adapter = system.fiscal.context.authorities.test.get(authority);
    const today = iso(systemClock.now()).slice(0, 10);
    const till = {
      ...{ issuer_tax_id: tax_id, unit: 'bb123bb123', internal_id: 'till 7', software_code: 'ss123ss123', maintainer_code: 'mm123mm123' },
      ...{ type: 'regular' as const, valid_from: today, valid_to: null },
    };
    const register = async (over: Partial<typeof till> = {}) => {
      const envelope = { id: randomUUID(), sentAt: iso(systemClock.now()), repeated: false, firstSentAt: null };
      const rendered = adapter?.till?.({ ...till, ...over }, { ...envelope, taxpayer: `test.${system.account}` });
      if (!adapter || !rendered || !('text' in rendered)) throw new Error('it is signed');
      const message = rendered.signedWith(publishedSigner(authority)(rendered.text));
      return (await send(adapter, message, { record_sha256: '', registered: false }, outgoing.http)).result;
    };
    const [first, again] = [await register(), await register()];
    expect(first).toMatchObject({ kind: 'registered', code: expect.stringMatching(/^[a-z]{2}\d{3}[a-z]{2}\d{3}$/) });
    expect(again).toMatchObject({ kind: 'registered', code: (first as { code: string }).code });
    expect(await register({ internal_id: 'till 8', valid_from: '2020-01-01' })).toMatchObject({ kind: 'rejected', error: { code: '45' } });
    const receipt = documentOf(iso(systemClock.now()), RECEIPT);
    const code = (first as { code: string }).code;
    const facts = {
      unit: till.unit,
      internal_id: till.internal_id,
      type: till.type,
      maintainer_code: null,
      valid_from: null,
      valid_to: null,
    };
    const device = { code: 'TILL7', authority_code: code, initial_amount: 100.5, ...facts };
    await submitted(system, {
      ...receipt,
      number: receipt.number?.replace('cc123cc123', code) ?? '',
      document: { ...receipt.document, device: 'TILL7' } as RegistrationRequested['document'],
      issuer: { ...receipt.issuer, devices: [device] } as RegistrationRequested['issuer'],
    });
    await system.close();
  });
});
