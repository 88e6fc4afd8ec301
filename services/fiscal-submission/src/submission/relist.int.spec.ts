import { systemClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { openIssuer } from '../authorities/es-verifactu/testing/issuer.ts';
import { amendSubmissions } from '../operators/amend.ts';
import { listWaiting } from '../operators/waiting.ts';
import { outgoingHttp } from '../sending/http.ts';
import { SimulatorProcess } from '../testing/simulator-process.ts';
import { FiscalSystem } from '../testing/system.ts';

const outgoing = outgoingHttp(systemClock);
afterAll(() => outgoing.close());

/** What a restore skips: the row follows from events. */
async function lose(system: FiscalSystem, id: string): Promise<void> {
  await until(async () => (await system.row(id))?.due_at === null);
  await system.fiscal.context.rows.write([{ delete: id }]);
  expect(await system.row(id)).toBeUndefined();
}

test('documents registered with errors are listed again, as before, when their requests are read again after a restore', async () => {
  const simulator = await SimulatorProcess.start('es-verifactu');
  const { system, requested } = openIssuer(simulator, outgoing.http);
  const requests = [requested({ simulate: 'accepted_with_errors:2005' }), requested()];
  const asked = { authority: 'es-verifactu', code: '2005', livemode: false, after: '', limit: 10, confirm: false };
  const listed = async () => (await amendSubmissions(system.fiscal.context, asked)).page.documents;
  await system.consumer.on(requests);
  for (const { subject } of requests) await system.until(subject, 'registered');
  await until(async () => (await listed()).length === 1);
  const before = await listed();
  for (const { subject } of requests) await lose(system, subject);
  expect(await listed()).toEqual([]);
  await system.consumer.on(requests);
  expect(await listed()).toEqual(before);
  const { page, rows } = await amendSubmissions(system.fiscal.context, { ...asked, confirm: true });
  expect(page.documents).toMatchObject([{ document: requests[0]?.subject, asked: true }]);
  system.fiscal.worker.take(rows);
  await system.publishedEvent('fiscal.document-amended.v1', requests[0]?.subject ?? '');
  await until(async () => (await listed()).length === 0);
  await system.close();
  await simulator.stop();
});

test('so are documents that wait for a review, since their last call', async () => {
  const simulator = await SimulatorProcess.start();
  const system = new FiscalSystem({ simulatorUrl: simulator.url });
  const request = system.requested({ simulate: 'duplicate_foreign' });
  await system.consumer.on([request]);
  const { lastAttemptAt } = await system.until(request.subject, 'needs_review');
  await lose(system, request.subject);
  await system.consumer.on([request]);
  const listing = { authority: undefined, env: 'test' as const, waits: 'review' as const };
  expect(await listWaiting(system.fiscal.context, listing)).toMatchObject({
    data: [{ document_id: request.subject, waits_since: lastAttemptAt, next_attempt_at: null }],
    total: 1,
  });
  const row = await system.row(request.subject);
  await system.consumer.on([request]);
  expect(await system.row(request.subject)).toEqual(row);
  await system.close();
  await simulator.stop();
});
