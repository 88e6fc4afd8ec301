import { randomUUID } from 'node:crypto';
import { systemClock, type Uid } from '@svc/kernel';
import type { Identity } from '@svc/service';
import { outgoingHttp } from '../sending/http.ts';
import { SimulatorProcess } from '../testing/simulator-process.ts';
import { FiscalSystem, ids } from '../testing/system.ts';
import type { Resolution } from './domain/facts.ts';
import { resolveSubmission } from './resolve.ts';

let simulator: SimulatorProcess;
beforeAll(async () => {
  simulator = await SimulatorProcess.start();
});
afterAll(() => simulator.stop());

const byHand: Resolution = { outcome: 'registered', code: 'BY-HAND', note: 'seen in the portal' };
const unknownThere: Resolution = { outcome: 'not_registered', note: 'the portal does not know it' };

/** As the route does it. */
async function resolve(system: FiscalSystem, id: string, resolution: Resolution, commandId: Uid = ids.next()): Promise<void> {
  const identity: Identity = {
    ...{ account: system.account, env: 'test', commandId, requestId: `req_${randomUUID()}` },
    actor: { type: 'api_key', id: 'key_1' },
  } as Identity;
  const row = await resolveSubmission(system.fiscal.context, identity, { id, resolution });
  if (row) system.fiscal.worker.take([row]);
}

describe('a submission that needs review', () => {
  let system: FiscalSystem;
  let id: string;
  let request: Awaited<ReturnType<FiscalSystem['submit']>>;
  beforeEach(async () => {
    system = new FiscalSystem({ simulatorUrl: simulator.url });
    request = await system.submit({ simulate: 'duplicate_foreign' });
    id = request.document_id;
    await system.until(id, 'needs_review');
  });
  afterEach(() => system.close());

  test('is registered by hand: its outcome is published, and nothing waits any more', async () => {
    await resolve(system, id, byHand);
    const { data } = await system.publishedEvent('fiscal.document-registered.v1', id);
    expect(data).toMatchObject({ round: 1, code: 'BY-HAND', attempts: 1 });
    for (let n = 0; (await system.row(id))?.due_at !== null && n < 500; n += 1) await systemClock.sleep(10);
    expect(await system.row(id)).toMatchObject({ due_at: null, waits_for: null });
  });

  test('is submitted again after it was not registered', async () => {
    await resolve(system, id, unknownThere);
    const { data } = await system.publishedEvent('fiscal.document-rejected.v1', id);
    expect(data).toMatchObject({ error: { code: 'not_registered', message: unknownThere.note, fixable: 'data' } });
    await system.submit({ ...request, simulate: null, number: `${request.number}-2`, round: 2 });
    expect(await system.until(id, 'registered')).toMatchObject({ round: 2 });
  });

  test('of ten persons at once one is heard, the others are told that it is over; a repeated command changes nothing', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => resolve(system, id, n % 2 ? byHand : unknownThere, `command-${n}` as Uid)),
    );
    const heard = results.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []));
    expect(heard).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'invalid_state' });
    const [first = 0] = heard;
    await resolve(system, id, byHand, `command-${first}` as Uid);
    expect((await system.state(id)).status).toBe(first % 2 ? 'registered' : 'rejected');
  });

  test('is cancelled when it was voided before', async () => {
    await system.consumer.on([system.cancellation(request)]);
    expect((await system.state(id)).status).toBe('needs_review');
    await resolve(system, id, byHand);
    for (let n = 0; (await system.attempts(id)).every(({ kind }) => kind !== 'cancel') && n < 500; n += 1) await systemClock.sleep(10);
    expect((await system.attempts(id)).at(-1)).toMatchObject({ kind: 'cancel' });
  });
});

test('an answer that comes after the resolution is kept with its attempt, and the outcome stays', async () => {
  const outgoing = outgoingHttp(systemClock);
  const held = Promise.withResolvers<void>();
  const isAsking = Promise.withResolvers<void>();
  let calls = 0;
  const system = new FiscalSystem({
    simulatorUrl: simulator.url,
    async http(request) {
      calls += 1;
      const answer = await outgoing.http(request);
      if (calls < 2) return answer;
      isAsking.resolve();
      await held.promise;
      return answer;
    },
  });
  const { document_id: id } = await system.submit({ simulate: 'lost_reply' });
  await system.until(id, 'unknown');
  await isAsking.promise;
  await resolve(system, id, unknownThere);
  held.resolve();
  for (let n = 0; (await system.attempts(id)).at(-1)?.outcome === null && n < 500; n += 1) await systemClock.sleep(10);
  expect(await system.attempts(id)).toMatchObject([
    { kind: 'submit', outcome: 'unknown' },
    { kind: 'query', outcome: 'registered' },
  ]);
  expect(await system.state(id)).toMatchObject({ status: 'rejected', error: { code: 'not_registered' } });
  expect(system.published.filter(({ subject }) => subject === id).map(({ type }) => type)).not.toContain('fiscal.document-registered.v1');
  await system.close();
  await outgoing.close();
});
