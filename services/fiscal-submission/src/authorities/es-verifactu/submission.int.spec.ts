import type { PublicEvent } from '@svc/contracts/events/envelope';
import { systemClock } from '@svc/kernel';
import { NotSent, outgoingHttp, type Http } from '../../sending/http.ts';
import { SimulatorProcess } from '../../testing/simulator-process.ts';
import { FiscalSystem, type SystemOptions } from '../../testing/system.ts';
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

const open = (over: Partial<SystemOptions> = {}) => openIssuer(simulator, outgoing.http, over);

test('records of an issuer are sent together, in one chain, as the certificate that may send for it', async () => {
  const { system, bodies, requested, ledger, breaks } = open();
  const requests = Array.from({ length: 8 }, () => requested());
  await system.consumer.on(requests);
  for (const { subject } of requests) await system.until(subject, 'registered');
  expect(bodies.length).toBeLessThan(8);
  expect(bodies.reduce((sum, body) => sum + recordsIn(body), 0)).toBe(8);
  expect((await ledger()).map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => 'Correcta'));
  expect(await breaks()).toEqual([]);
  const [first] = requests as [PublicEvent];
  const prepared = await system.publishedEvent('fiscal.document-prepared.v1', first.subject);
  expect(prepared.data['verification_url']).toContain('https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=');
  expect((await system.publishedEvent('fiscal.document-registered.v1', first.subject)).data).toMatchObject({
    code_kind: 'csv',
    late: false,
  });
  await system.close();
});

test('a cancellation is an annulment in the same chain, and what follows cites it', async () => {
  const { system, requested, ledger, breaks } = open();
  const [one, other] = [requested(), requested()];
  await system.consumer.on([one]);
  await system.until(one.subject, 'registered');
  await system.consumer.on([system.cancellation(one.data, { simulate: null })]);
  await system.until(one.subject, 'cancelled');
  await system.consumer.on([other]);
  await system.until(other.subject, 'registered');
  expect((await ledger()).map(({ state }) => state)).toEqual(['Anulada', 'Correcta']);
  expect(await breaks()).toEqual([]);
  await system.close();
});

test('an annulment long after looks for its link behind what its chain had when it was requested', async () => {
  const { system, requested, breaks } = open();
  const requests = Array.from({ length: 30 }, () => requested());
  await system.consumer.on(requests);
  for (const { subject } of requests) await system.until(subject, 'registered');
  const readFrom: bigint[] = [];
  const store: NonNullable<SystemOptions['store']> = (same) => ({
    ...same,
    read(stream, from = 0n, ...more) {
      if (stream.startsWith('chain-')) readFrom.push(from);
      return same.read(stream, from, ...more);
    },
  });
  const other = new FiscalSystem({ simulatorUrl: simulator.url, testUrls: simulator.testUrls, sharing: system, store });
  const [first] = requests as [(typeof requests)[number]];
  await other.consumer.on([system.cancellation(first.data, { simulate: null })]);
  await system.until(first.subject, 'cancelled');
  expect(readFrom.filter((from) => from < 30n)).toEqual([]);
  expect(await breaks()).toEqual([]);
  await other.fiscal.background.beforeApplicationShutdown();
  await system.close();
});

test('where the reply is lost the authority is asked, and the code is that of the request', async () => {
  const { system, requested, ledger } = open();
  const request = requested({ simulate: 'lost_reply' });
  await system.consumer.on([request]);
  await system.until(request.subject, 'registered');
  const [row] = await ledger();
  const { data } = await system.publishedEvent('fiscal.document-registered.v1', request.subject);
  expect(data).toMatchObject({ code: row?.request, code_kind: 'request_id' });
  expect((await system.attempts(request.subject)).map(({ kind }) => kind)).toEqual(['submit', 'query']);
  await system.close();
});

test('a sending that was lost goes again as it was, once the authority does not know the first of it', async () => {
  const { system, bodies, requested, ledger, breaks } = open();
  const first = requested();
  await system.consumer.on([first]);
  await system.until(first.subject, 'registered');
  const requests = Array.from({ length: 12 }, () => requested());
  const { tax_id } = first.data.issuer;
  const of = { authority: 'es-verifactu', tax_id, operation: 'RegFactuSistemaFacturacion' };
  await simulator.operate('/faults', { ...of, fault: 'lost_request', times: 2 });
  await system.consumer.on(requests);
  for (const { subject } of requests) await system.until(subject, 'registered');
  expect(bodies.filter((body) => recordsIn(body) > 0).length).toBeLessThan(10);
  expect(await ledger()).toHaveLength(13);
  expect(await breaks()).toEqual([]);
  await system.close();
});

test('a change of the issuer’s name does not go with records that have another one', async () => {
  let isAway = true;
  const http: Http = (request) => (isAway ? Promise.reject(new NotSent('nothing listens')) : outgoing.http(request));
  const { system, bodies, requested } = open({ http });
  const [one, other] = [requested(), requested()];
  const renamed = { ...other, data: { ...other.data, issuer: { ...other.data.issuer, legal_name: 'Otro nombre' } } };
  await system.consumer.on([one, renamed]);
  await system.deferred(one.subject);
  isAway = false;
  for (const { subject } of [one, renamed]) await system.until(subject, 'registered');
  for (const body of bodies.filter((sent) => recordsIn(sent) > 0)) {
    const names = body.matchAll(/<sf:NombreRazon(?:Emisor)?>([^<]*)<\/sf:NombreRazon/g);
    const ofIssuer = new Set(
      Array.from(names, ([, name]) => name).filter((name) => name === 'Otro nombre' || name === one.data.issuer.legal_name),
    );
    expect(ofIssuer.size).toBe(1);
  }
  await system.close();
});

test('another record under its number wants a person', async () => {
  const { system, requested } = open();
  const request = requested({ simulate: 'duplicate_foreign' });
  await system.consumer.on([request]);
  expect(await system.until(request.subject, 'needs_review')).toMatchObject({ error: { code: 'duplicate_foreign' } });
  await system.close();
});

test('what is accepted with errors is registered, with the words of the authority', async () => {
  const { system, requested } = open();
  const request = requested({ simulate: 'accepted_with_errors:2001' });
  await system.consumer.on([request]);
  await system.until(request.subject, 'registered');
  const { data } = await system.publishedEvent('fiscal.document-registered.v1', request.subject);
  expect(data['warnings']).toMatchObject([{ code: '2001', message: expect.stringContaining('Destinatarios') }]);
  await system.close();
});

test('after a refusal the next round says that it mends; the number and the chain stay', async () => {
  const { system, bodies, requested, ledger, breaks } = open();
  const request = requested({ simulate: 'reject_once:1112' });
  await system.consumer.on([request]);
  expect(await system.until(request.subject, 'rejected')).toMatchObject({ error: { code: '1112', fixable: 'data' } });
  await system.consumer.on([{ ...request, id: `${request.id}1`, data: { ...request.data, round: 2 } }]);
  await system.until(request.subject, 'registered');
  expect(bodies.at(-1)).toContain('<sf:Subsanacion>S</sf:Subsanacion><sf:RechazoPrevio>X</sf:RechazoPrevio>');
  expect(await ledger()).toHaveLength(1);
  expect(await breaks()).toEqual([]);
  await system.close();
});

test('what could not be sent for three minutes goes as late, and is not mixed with what is fresh', async () => {
  let isAway = true;
  let shift = 0;
  const http: Http = (request) => (isAway ? Promise.reject(new NotSent('nothing listens')) : outgoing.http(request));
  const { system, bodies, requested, ledger } = open({ http, clock: { ...systemClock, now: () => systemClock.now() + shift } });
  const old = requested();
  await system.consumer.on([old]);
  await system.deferred(old.subject);
  shift = 200_000;
  const fresh = requested();
  await system.consumer.on([fresh]);
  isAway = false;
  for (const { subject } of [old, fresh]) await system.until(subject, 'registered');
  expect((await ledger()).map(({ late }) => late)).toEqual([true, false]);
  const lates = bodies.filter((body) => recordsIn(body) > 0).map((body) => body.includes('<sf:Incidencia>S'));
  expect(lates.at(-1)).toBe(false);
  expect((await system.publishedEvent('fiscal.document-registered.v1', old.subject)).data).toMatchObject({ late: true });
  await system.close();
});
