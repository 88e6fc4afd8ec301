import { systemClock } from '@svc/kernel';
import { register } from '@svc/service';
import { dossierOf } from '../../evidence/dossier.ts';
import { outgoingHttp } from '../../sending/http.ts';
import { amendSubmissions } from '../../operators/amend.ts';
import { submissionStream } from '../../submission/submissions.ts';
import { SimulatorProcess } from '../../testing/simulator-process.ts';
import type { FiscalSystem } from '../../testing/system.ts';
import { openIssuer } from './testing/issuer.ts';

let simulator: SimulatorProcess;
const outgoing = outgoingHttp(systemClock);
beforeAll(async () => {
  simulator = await SimulatorProcess.start('es-verifactu');
});
afterAll(async () => {
  await outgoing.close();
  await simulator.stop();
});
const open = () => openIssuer(simulator, outgoing.http);

const asked = { authority: 'es-verifactu', code: '2005', livemode: false, after: '', limit: 100, confirm: true };

async function amend(system: FiscalSystem, over: Partial<typeof asked> = {}) {
  const { page, rows } = await amendSubmissions(system.fiscal.context, { ...asked, ...over });
  system.fiscal.worker.take(rows);
  return page;
}

/** Waits until its row says whether its record is flawed. */
async function flawed(system: FiscalSystem, document: string, code: string | null): Promise<void> {
  for (let waited = 0; waited < 20_000; waited += 10) {
    const row = await system.row(document);
    if (row?.due_at === null && (row.flawed ?? null) === code) return;
    await systemClock.sleep(10);
  }
  throw new Error(`${document}: ${JSON.stringify([await system.row(document), await system.attempts(document)])}`);
}

test('what is registered with errors is mended in its chain, once, and what follows cites it', async () => {
  const { system, bodies, requested, ledger, breaks } = open();
  const [wrong, other] = [requested({ simulate: 'accepted_with_errors:2005' }), requested()];
  await system.consumer.on([wrong, other]);
  for (const { subject } of [wrong, other]) await system.until(subject, 'registered');
  await flawed(system, wrong.subject, '2005');
  expect(await amend(system, { confirm: false })).toEqual({
    done: false,
    documents: [{ document: wrong.subject, account: system.account, asked: false }],
    next: null,
  });
  expect((await amend(system)).documents).toMatchObject([{ asked: true }]);
  await flawed(system, wrong.subject, null);
  expect((await amend(system)).documents).toEqual([]);
  const { data } = await system.publishedEvent('fiscal.document-amended.v1', wrong.subject);
  expect(data).toMatchObject({ document_id: wrong.subject, kind: 'invoice', round: 1, attempts: 2 });
  expect(data).not.toHaveProperty('warnings');
  const sent = bodies.at(-1) ?? '';
  expect(sent).toContain('<sf:Subsanacion>S</sf:Subsanacion><sf:TipoFactura>');
  expect(sent).toContain(`<sf:NumSerieFactura>${wrong.data.number}</sf:NumSerieFactura>`);
  const later = requested();
  await system.consumer.on([later]);
  await system.until(later.subject, 'registered');
  const rows = await ledger();
  expect(rows.map(({ state }) => state)).toEqual(['Correcta', 'Correcta', 'Correcta']);
  expect(rows.find(({ number }) => number === wrong.data.number)).toMatchObject({ records: 2 });
  expect(await breaks()).toEqual([]);
  const stream = submissionStream('test', system.account, wrong.subject);
  const dossier = dossierOf(await system.fiscal.context.streams.read(stream));
  expect(dossier?.records.map(({ operation }) => operation)).toEqual(['register', 'amend']);
  await system.consumer.on([system.cancellation(wrong.data, { simulate: null })]);
  await system.until(wrong.subject, 'cancelled');
  await system.close();
});

test('a refused one leaves the registration, and the next says that one was refused', async () => {
  const { system, bodies, requested, ledger } = open();
  const wrong = requested({ simulate: 'accepted_with_errors:2005' });
  await system.consumer.on([wrong]);
  await system.until(wrong.subject, 'registered');
  await flawed(system, wrong.subject, '2005');
  const { tax_id } = wrong.data.issuer;
  await simulator.operate('/faults', { authority: 'es-verifactu', tax_id, number: wrong.data.number, fault: 'reject:1100', times: 1 });
  await amend(system);
  await flawed(system, wrong.subject, '2005');
  expect(await system.state(wrong.subject)).toMatchObject({ status: 'registered', registration: { amendmentRefused: true } });
  await amend(system);
  await flawed(system, wrong.subject, null);
  expect(bodies.at(-1)).toContain('<sf:Subsanacion>S</sf:Subsanacion><sf:RechazoPrevio>S</sf:RechazoPrevio>');
  expect(await ledger()).toMatchObject([{ state: 'Correcta', records: 2 }]);
  await system.close();
});

test('one whose reply is lost is asked for by its own hash, not by that of the record before', async () => {
  const { system, requested, ledger } = open();
  const [wrong, lost] = [requested({ simulate: 'accepted_with_errors:2005' }), 'lost_request'];
  await system.consumer.on([wrong]);
  await flawed(system, wrong.subject, '2005');
  const of = { authority: 'es-verifactu', tax_id: wrong.data.issuer.tax_id, operation: 'RegFactuSistemaFacturacion', times: 1 };
  for (const fault of [lost, 'lost_reply']) await simulator.operate('/faults', { ...of, fault });
  await amend(system);
  await flawed(system, wrong.subject, null);
  expect((await system.attempts(wrong.subject)).map(({ kind }) => kind)).toEqual(['submit', 'submit', 'query', 'submit', 'query']);
  expect(await ledger()).toMatchObject([{ state: 'Correcta', records: 2 }]);
  await system.close();
});

test('an amendment is no slow registration, and a record that stays wrong counts once', async () => {
  const valueOf = async (name: string): Promise<number> => {
    const text = await register.getSingleMetricAsString(name.replace(/_count$/, ''));
    return Number(new RegExp(`^${name}\\{authority="es-verifactu",env="test"\\} (.+)$`, 'm').exec(text)?.[1]);
  };
  const { system, requested } = open();
  register.resetMetrics();
  const wrong = requested({ simulate: 'accepted_with_errors:2005' });
  await system.consumer.on([wrong]);
  await flawed(system, wrong.subject, '2005');
  const { tax_id } = wrong.data.issuer;
  await simulator.operate('/faults', { authority: 'es-verifactu', tax_id, number: wrong.data.number, fault: 'reject:1100', times: 1 });
  await amend(system);
  await flawed(system, wrong.subject, '2005');
  expect(await system.state(wrong.subject)).toMatchObject({ registration: { amendmentRefused: true } });
  expect([await valueOf('svc_registration_seconds_count'), await valueOf('svc_submissions_flawed_total')]).toEqual([1, 1]);
  await system.close();
});

test.each([
  [{ authority: 'al-cis' }, 'not_found'],
  [{ authority: 'sandbox' }, 'invalid_state'],
  [{ code: '2001' }, 'invalid_state'],
  [{ code: '2004' }, 'invalid_state'],
])('what cannot be amended is refused: %j', async (over, code) => {
  const { system } = open();
  await expect(amend(system, over)).rejects.toMatchObject({ code });
  await system.close();
});

test('one document that cannot be made anew keeps no other one from it', async () => {
  const { system, requested } = open();
  const wrong = [requested({ simulate: 'accepted_with_errors:2005' }), requested({ simulate: 'accepted_with_errors:2005' })];
  await system.consumer.on(wrong);
  for (const { subject } of wrong) await flawed(system, subject, '2005');
  const { authorities } = system.fiscal.context;
  const authority = authorities.test.get('es-verifactu') as NonNullable<ReturnType<typeof authorities.test.get>>;
  const amendments = authority.amendments as NonNullable<typeof authority.amendments>;
  let drafts = 0;
  const draft: typeof amendments.draft = (stored) => {
    drafts += 1;
    if (drafts === 1) throw new TypeError('it has no lines');
    return amendments.draft(stored);
  };
  const test = new Map([...authorities.test, ['es-verifactu', { ...authority, amendments: { ...amendments, draft } }]] as const);
  const { page, rows } = await amendSubmissions({ ...system.fiscal.context, authorities: { ...authorities, test } }, asked);
  system.fiscal.worker.take(rows);
  expect(page.documents).toMatchObject([{ asked: false, problem: 'it has no lines' }, { asked: true }]);
  await flawed(system, page.documents[1]?.document ?? '', null);
  await system.close();
});
