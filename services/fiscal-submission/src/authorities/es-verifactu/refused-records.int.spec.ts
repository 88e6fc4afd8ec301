import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { iso, systemClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import type { Identity } from '@svc/service';
import { outgoingHttp } from '../../sending/http.ts';
import { giveUpSubmission } from '../../operators/give-up.ts';
import { resolveSubmission } from '../../submission/resolve.ts';
import { retryNow } from '../../operators/retry.ts';
import type { Row } from '../../submission/row.ts';
import { SimulatorProcess } from '../../testing/simulator-process.ts';
import type { FiscalSystem } from '../../testing/system.ts';
import { issuers } from '../testing/documents.ts';
import { openIssuer, recordsIn } from './testing/issuer.ts';

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

/** Every sending with the document has this fault. */
const scripted = ({ data }: PublicEvent<RegistrationRequested>, fault: string) =>
  simulator.operate('/faults', {
    ...{ authority: 'es-verifactu', operation: 'RegFactuSistemaFacturacion', fault, times: 1_000 },
    ...{ tax_id: data.issuer.tax_id, number: data.number },
  });

test('a record that the authority refuses with its whole sending holds up no other one, and can be sent again', async () => {
  const { system, bodies, requested, ledger, breaks } = open();
  const requests = Array.from({ length: 9 }, () => requested());
  const [bad] = requests.slice(5);
  await scripted(bad!, 'fault_client:4102');
  await system.consumer.on(requests);
  const refused = await system.until(bad!.subject, 'rejected');
  expect(refused).toMatchObject({ error: { code: '4102', fixable: 'setup', message: expect.stringContaining('Submit again') } });
  for (const { subject } of requests.filter((one) => one !== bad)) await system.until(subject, 'registered');
  expect(Math.max(...bodies.map(recordsIn))).toBeGreaterThan(1);
  expect(bodies.filter((body) => recordsIn(body) > 0).length).toBeLessThan(20);
  await fetch(`${simulator.url}/faults`, { method: 'DELETE' });
  await system.consumer.on([{ ...bad!, id: `${bad!.id}1`, data: { ...bad!.data, round: 2 } }]);
  await system.until(bad!.subject, 'registered');
  expect(bodies.at(-1)).toContain('<sf:Subsanacion>S</sf:Subsanacion><sf:RechazoPrevio>X</sf:RechazoPrevio>');
  expect(await ledger()).toHaveLength(9);
  expect(await breaks()).toEqual([]);
  const flawed = system.logged.filter(({ msg }) => msg.includes('as this software made it'));
  expect(flawed).toMatchObject([{ document: bad!.subject, codes: ['4102'] }]);
  await system.close();
});

test('an annulment that is refused so leaves the registration, and what comes behind it goes on', async () => {
  const { system, requested, breaks } = open();
  const [one, other] = [requested(), requested()];
  await system.consumer.on([one]);
  await system.until(one.subject, 'registered');
  await scripted(one, 'fault_client:4102');
  await system.consumer.on([system.cancellation(one.data, { simulate: null }), other]);
  await system.until(other.subject, 'registered');
  expect((await system.publishedEvent('fiscal.cancellation-refused.v1', one.subject)).data).toMatchObject({ error: { code: '4102' } });
  expect(await system.until(one.subject, 'registered')).toMatchObject({ registration: { wasRefused: true } });
  expect(await breaks()).toEqual([]);
  await system.close();
});

/** Waits until the authority was called so often about the document. */
async function called(system: FiscalSystem, document: string, times: number): Promise<void> {
  for (let waited = 0; waited < 20_000; waited += 10) {
    if ((await system.attempts(document)).length >= times) return;
    await systemClock.sleep(10);
  }
  throw new Error(JSON.stringify(await system.attempts(document)));
}

test('a record at which the authority fails each time ends as refused once it has judged another one meanwhile, and an alert says so', async () => {
  const { system, requested } = open();
  const [bad, ...behind] = Array.from({ length: 4 }, () => requested());
  await scripted(bad!, 'fault_client:4103');
  await system.consumer.on([bad!, ...behind]);
  await called(system, bad!.subject, 7);
  expect(await system.state(bad!.subject)).toMatchObject({ status: 'pending' });
  const { documentOf } = issuers['es-verifactu']!();
  const { document_id: _, ...ofAnother } = documentOf(iso(systemClock.now()), 1);
  const other = requested(ofAnother);
  await system.consumer.on([other]);
  await system.until(other.subject, 'registered');
  const error = { code: '4103', fixable: 'setup', message: expect.stringContaining('Submit again later') };
  expect(await system.until(bad!.subject, 'rejected')).toMatchObject({ error });
  for (const { subject } of behind) await system.until(subject, 'registered');
  const alerts = system.logged.filter(({ msg }) => msg.includes('taken for refused'));
  expect(alerts).toMatchObject([{ document: bad!.subject, codes: ['4103'] }]);
  await system.close();
});

test('while the authority fails at everything nothing ends, and all goes on afterwards', async () => {
  const { system, requested, breaks } = open();
  const requests = Array.from({ length: 4 }, () => requested());
  const { tax_id } = requests[0]!.data.issuer;
  await simulator.operate('/faults', { authority: 'es-verifactu', tax_id, fault: 'fault_client:4103', times: 1_000 });
  await system.consumer.on(requests);
  await called(system, requests[0]!.subject, 9);
  for (const { subject } of requests) expect(await system.state(subject)).toMatchObject({ status: 'pending' });
  await fetch(`${simulator.url}/faults`, { method: 'DELETE' });
  for (const { subject } of requests) await system.until(subject, 'registered');
  expect(await breaks()).toEqual([]);
  await system.close();
});

/** Gives up a record between two calls about it, as an operator who repeats the command. */
async function giveUpWhenIdle({ fiscal }: FiscalSystem, document: string): Promise<Row> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await giveUpSubmission(fiscal.context, document);
    } catch (error) {
      if (tries === 50) throw error;
      await systemClock.sleep(20);
    }
  }
}

test('where each record of a chain is malformed the second one waits with what is behind it until an operator gives it up, or they are taken', async () => {
  const { system, requested, breaks } = open();
  const requests = Array.from({ length: 4 }, () => requested());
  const { tax_id } = requests[0]!.data.issuer;
  await simulator.operate('/faults', { authority: 'es-verifactu', tax_id, fault: 'fault_client:4102', times: 1_000 });
  await system.consumer.on(requests);
  await system.until(requests[0]!.subject, 'rejected');
  await called(system, requests[1]!.subject, 4);
  const waiting = await system.state(requests[1]!.subject);
  expect(waiting).toMatchObject({ status: 'pending', reported: { code: '4102', fixable: 'setup' } });
  expect(system.logged.filter(({ msg }) => msg.includes('the chain waits'))).toMatchObject([{ document: requests[1]!.subject }]);
  system.fiscal.worker.take([await giveUpWhenIdle(system, requests[1]!.subject)]);
  expect(await system.until(requests[1]!.subject, 'rejected')).toMatchObject({ error: { code: '4102', fixable: 'setup' } });
  await called(system, requests[2]!.subject, 4);
  expect(await system.state(requests[2]!.subject)).toMatchObject({ status: 'pending' });
  await fetch(`${simulator.url}/faults`, { method: 'DELETE' });
  for (const { subject } of requests.slice(2)) await system.until(subject, 'registered');
  expect(await breaks()).toEqual([]);
  await system.close();
});

test('a server that fails at one record has the others wait no longer than it takes to find it, and a person ends its doubt', async () => {
  const { system, bodies, requested } = open();
  const requests = Array.from({ length: 6 }, () => requested());
  const bad = requests[2]!;
  await scripted(bad, 'fault_server');
  await system.consumer.on(requests);
  for (const { subject } of requests.slice(0, 2)) await system.until(subject, 'registered');
  await system.until(bad.subject, 'unknown');
  const identity = { env: 'test', account: system.account, actor: { type: 'api_key', id: 'key_1' } } as Identity;
  const row = await resolveSubmission(system.fiscal.context, identity, {
    id: bad.subject,
    resolution: { outcome: 'not_registered', note: 'asked' },
  });
  if (row) system.fiscal.worker.take([row]);
  for (const { subject } of requests.slice(3)) await system.until(subject, 'registered');
  expect(Math.max(...bodies.map(recordsIn))).toBeGreaterThan(1);
  await system.close();
});

test('whoever is suspended is not sent for again until an operator says so', async () => {
  const { system, bodies, requested } = openIssuer(simulator, outgoing.http, { pace: 'live' });
  const one = requested();
  await scripted(one, 'fault_client:4141');
  await system.consumer.on([one]);
  await system.deferred(one.subject);
  const sent = bodies.length;
  // The row is written after the event.
  await until(async () => ((await system.row(one.subject))?.due_at ?? 0) > systemClock.now() + 80_000_000);
  await fetch(`${simulator.url}/faults`, { method: 'DELETE' });
  const of = { authority: 'es-verifactu', livemode: false };
  const operator = { context: system.fiscal.context, note: system.fiscal.noteAction };
  expect(await retryNow(operator, { ...of, account: 'acct_other' })).toEqual({ retried: 0, more: false });
  expect(await retryNow(operator, { ...of, account: system.account })).toEqual({ retried: 1, more: false });
  await system.until(one.subject, 'registered');
  expect(bodies).toHaveLength(sent + 1);
  await system.close();
});
