import { systemClock } from '@svc/kernel';
import { sandboxAuthority } from '../authorities/sandbox/sandbox.ts';
import type { Authority } from './authority.ts';
import { type Http, outgoingHttp } from '../sending/http.ts';
import { SimulatorProcess } from '../testing/simulator-process.ts';
import { registrationRequested, FiscalSystem } from '../testing/system.ts';

let simulator: SimulatorProcess;
let system: FiscalSystem;
beforeAll(async () => {
  simulator = await SimulatorProcess.start();
});
afterAll(() => simulator.stop());
beforeEach(() => {
  system = new FiscalSystem({ simulatorUrl: simulator.url });
});
afterEach(() => system.close());

const typesOf = (id: string): string[] => system.published.filter(({ subject }) => subject === id).map(({ type }) => type);
const REGISTERED = 'fiscal.document-registered.v1';
const DELAYED = 'fiscal.document-delayed.v1';

/** Submits, waits for the registration, and checks what every success has: one row in the ledger, one hash, one event. */
async function registers(simulate: string | null) {
  const { document_id, number } = await system.submit({ simulate });
  const { registration } = await system.until(document_id, 'registered');
  const published = await system.publishedEvent(REGISTERED, document_id);
  const attempts = await system.attempts(document_id);
  expect(published.data).toMatchObject({
    kind: 'invoice',
    round: 1,
    authority: 'sandbox',
    code: registration.code,
    attempts: attempts.length,
    late: false,
  });
  expect(attempts.map(({ n }) => n)).toEqual(attempts.map((_, index) => index + 1));
  const rows = (await simulator.ledger(system.account)).filter(({ document_number }) => document_number === number);
  expect(rows.map(({ code }) => code)).toEqual([registration.code]);
  expect(new Set(rows[0]?.received.map(({ record_sha256 }) => record_sha256))).toEqual(new Set([rows[0]?.record_sha256]));
  expect((await system.row(document_id))?.due_at ?? null).toBeNull();
  return { document_id, attempts, types: typesOf(document_id), registration };
}

describe('the authority registers', () => {
  test.each([null, 'accept', 'accept_with_warnings', 'slow:50', 'duplicate'])('%s: at the first attempt', async (simulate) => {
    const { attempts, types } = await registers(simulate);
    expect(attempts).toMatchObject([
      { kind: 'submit', outcome: 'registered', error: null, request_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(types).toEqual([REGISTERED]);
  });

  test('stores warnings', async () => {
    expect((await registers('accept_with_warnings')).registration.warnings).toHaveLength(1);
  });
});

describe('a doubt is settled by a query, then by sending the same record again', () => {
  test('lost_request: the authority does not know the document, so it is sent again', async () => {
    const { attempts, types } = await registers('lost_request');
    expect(attempts.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['submit', 'unknown'],
      ['query', 'deferred'],
      ['submit', 'registered'],
    ]);
    expect(types).toEqual([DELAYED, REGISTERED]);
  });

  test.each(['lost_reply', 'error_after_accept', 'bad_signature', 'truncated', 'wrong_request_id'])(
    '%s: the authority knows it',
    async (simulate) => {
      const { attempts, types } = await registers(simulate);
      expect(attempts.map(({ kind, outcome }) => [kind, outcome])).toEqual([
        ['submit', 'unknown'],
        ['query', 'registered'],
      ]);
      expect(types).toEqual([DELAYED, REGISTERED]);
    },
  );

  test('publishes the delay once, with its attempts', async () => {
    const { document_id } = await registers('lost_request');
    const published = await system.publishedEvent(DELAYED, document_id);
    expect(published.data).toMatchObject({ status: 'unknown', round: 1, attempts: 1, next_attempt_at: expect.stringMatching(/Z$/) });
  });
});

describe('a rejection in doubt', () => {
  type Fault = 'loses the request' | 'loses the answer' | { simulate: string } | 'nothing';
  /** A system with these faults in its calls, one after the other, and an authority with or without a query. */
  function systemWithFaults(faults: Fault[], canQuery: boolean): FiscalSystem {
    const outgoing = outgoingHttp(systemClock);
    const http: Http = async (request) => {
      const fault = faults.shift() ?? 'nothing';
      if (fault === 'loses the request') throw new Error('the connection broke');
      const scripted: Record<string, string> = typeof fault === 'object' ? { 'x-simulate': fault.simulate } : {};
      const answer = await outgoing.http({ ...request, headers: { ...request.headers, ...scripted } });
      if (fault === 'loses the answer') throw new Error('the connection broke');
      return answer;
    };
    const made = new FiscalSystem({ simulatorUrl: simulator.url, http });
    const authorities = made.fiscal.context.authorities.test as Map<string, Authority>;
    const sandbox = authorities.get('sandbox');
    if (!canQuery && sandbox) authorities.set('sandbox', { ...sandbox, needs: { ...sandbox.needs, query: false } });
    return made;
  }
  const calls = async (on: FiscalSystem, id: string) => (await on.attempts(id)).map(({ kind, outcome }) => [kind, outcome]);

  test('of a repeated send without a query: needs review, because the document is registered', async () => {
    const on = systemWithFaults(['loses the answer', { simulate: 'reject' }], false);
    const { document_id } = await on.submit();
    await on.until(document_id, 'needs_review');
    const published = await on.publishedEvent(DELAYED, document_id);
    expect(on.published.map(({ type }) => type)).not.toContain('fiscal.document-rejected.v1');
    expect(published.data).toMatchObject({ status: 'unknown' });
    expect(await simulator.ledger(on.account)).toHaveLength(1);
    await on.close();
  });

  test('of a repeated send for credentials without a query: sent again once they are fixed', async () => {
    const on = systemWithFaults(['loses the answer', { simulate: 'reject:credentials' }, { simulate: 'reject:setup' }], false);
    const { document_id } = await on.submit();
    await on.until(document_id, 'registered');
    expect(await calls(on, document_id)).toEqual([
      ['submit', 'unknown'],
      ['submit', 'rejected'],
      ['submit', 'rejected'],
      ['submit', 'registered'],
    ]);
    expect(await simulator.ledger(on.account)).toHaveLength(1);
    await on.close();
  });

  test('of an absent document: final for its data, queried again for credentials', async () => {
    const on = systemWithFaults(
      ['loses the request', 'nothing', { simulate: 'reject:credentials' }, 'nothing', { simulate: 'reject' }],
      true,
    );
    const { document_id } = await on.submit();
    await on.until(document_id, 'rejected');
    expect(await calls(on, document_id)).toEqual([
      ['submit', 'unknown'],
      ['query', 'deferred'],
      ['submit', 'rejected'],
      ['query', 'deferred'],
      ['submit', 'rejected'],
    ]);
    expect(await simulator.ledger(on.account)).toEqual([]);
    await on.close();
  });

  test('a cancellation refused after a lost response: queried, and found cancelled', async () => {
    const faults: Fault[] = ['nothing', 'loses the answer'];
    const on = systemWithFaults(faults, true);
    const request = await on.submit();
    await on.until(request.document_id, 'registered');
    refusing(on);
    await on.consumer.on([on.cancellation(request)]);
    await on.until(request.document_id, 'cancelled');
    expect(await calls(on, request.document_id)).toEqual([
      ['submit', 'registered'],
      ['cancel', 'unknown'],
      ['cancel', 'rejected'],
      ['query', 'registered'],
    ]);
    await on.close();
  });

  /** An authority that refuses to cancel a cancelled document. */
  function refusing(on: FiscalSystem): void {
    const authorities = on.fiscal.context.authorities.test as Map<string, Authority>;
    const sandbox = authorities.get('sandbox');
    if (!sandbox) throw new Error('no sandbox');
    authorities.set('sandbox', {
      ...sandbox,
      read(message, ours, response) {
        if (message.kind !== 'cancel') return sandbox.read(message, ours, response);
        return { kind: 'refused', error: { code: 'E', message: 'It is cancelled.' } };
      },
    });
  }
});

test('unavailable:3 is postponed three times and never in doubt', async () => {
  const { attempts, types } = await registers('unavailable:3');
  expect(attempts.map(({ outcome, http_status }) => [outcome, http_status])).toEqual([
    ['deferred', 503],
    ['deferred', 503],
    ['deferred', 503],
    ['registered', 200],
  ]);
  expect(types).toEqual([DELAYED, REGISTERED]); // once that it waits, not once an attempt
});

describe('the authority rejects', () => {
  test.each([
    ['reject', { code: 'SBX-1001', fixable: 'data' }],
    ['reject:E4711', { code: 'E4711', fixable: 'data' }],
    ['reject:credentials', { code: 'credentials', fixable: 'credentials' }],
    ['reject:setup', { code: 'setup', fixable: 'setup' }],
  ])('%s', async (simulate, error) => {
    const { document_id } = await system.submit({ simulate });
    await system.until(document_id, 'rejected');
    const published = await system.publishedEvent('fiscal.document-rejected.v1', document_id);
    expect(published.data).toMatchObject({ round: 1, error, attempts: 1 });
    expect(await system.attempts(document_id)).toMatchObject([{ outcome: 'rejected', http_status: 422, error: { code: error.code } }]);
    expect(await simulator.ledger(system.account)).toEqual([]);
  });

  test('reject_once: the next round sends a new record under the same number and is registered', async () => {
    const first = await system.submit({ simulate: 'reject_once' });
    await system.until(first.document_id, 'rejected');
    await system.submit({ ...first, round: 2, document: { ...first.document, total: 120.61 } });
    await system.until(first.document_id, 'registered');
    const published = await system.publishedEvent(REGISTERED, first.document_id);
    expect(published.data).toMatchObject({ round: 2, attempts: 2 });
    const [row] = await simulator.ledger(system.account);
    expect(row).toMatchObject({ document_number: first.number });
    expect(row?.received).toHaveLength(1); // The ledger drops submissions before a rejection.
  });

  test('rejects an issuer without a tax id without a call', async () => {
    const { document_id } = await system.submit({ issuer: { ...registrationRequested('inv_1').issuer, tax_id: null } });
    expect((await system.until(document_id, 'rejected')).error).toMatchObject({ fixable: 'setup' });
    expect(await system.attempts(document_id)).toEqual([]);
  });
});

test('rejects a document for an authority without an adapter, and accepts its resubmission to another', async () => {
  const asked = await system.submit({ authority: 'es-verifactu' });
  const published = await system.publishedEvent('fiscal.document-rejected.v1', asked.document_id);
  expect(published.data).toMatchObject({ round: 1, authority: 'es-verifactu', error: { fixable: 'setup' }, attempts: 0 });
  expect(await system.row(asked.document_id)).toBeUndefined();
  await system.submit(asked); // A repeated message.
  await system.submit({ ...asked, round: 2, authority: 'sandbox' });
  expect((await system.until(asked.document_id, 'registered')).round).toBe(2);
  await system.publishedEvent(REGISTERED, asked.document_id);
  expect(typesOf(asked.document_id)).toEqual(['fiscal.document-rejected.v1', REGISTERED]);
});

test('does not open the circuit breaker for simulated faults', async () => {
  const slow = new FiscalSystem({ simulatorUrl: simulator.url, pace: 'live' });
  const faulty = await Promise.all(Array.from({ length: 12 }, () => slow.submit({ simulate: 'unavailable:12' })));
  for (const { document_id } of faulty) await slow.deferred(document_id);
  const { document_id } = await slow.submit();
  await slow.until(document_id, 'registered');
  await slow.close();
});

test('duplicate_foreign needs review and makes no further step', async () => {
  const { document_id } = await system.submit({ simulate: 'duplicate_foreign' });
  await system.until(document_id, 'needs_review');
  const published = await system.publishedEvent(DELAYED, document_id);
  expect(published.data).toMatchObject({
    status: 'needs_review',
    error: { code: 'duplicate_foreign', fixable: 'setup' },
    next_attempt_at: null,
  });
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect((await system.state(document_id)).status).toBe('needs_review');
  expect(await system.attempts(document_id)).toHaveLength(1);
});

describe('cancellation', () => {
  test('cancels a registration once', async () => {
    const request = await system.submit();
    await system.until(request.document_id, 'registered');
    const cancellation = system.cancellation(request);
    await system.consumer.on([cancellation]);
    await system.until(request.document_id, 'cancelled');
    await system.consumer.on([cancellation]);
    const published = await system.publishedEvent('fiscal.document-cancelled.v1', request.document_id);
    expect(published.data).toMatchObject({ attempts: 2, cancelled_at: expect.stringMatching(/Z$/), cancellation: cancellation.sequence });
    expect((await system.attempts(request.document_id)).map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['submit', 'registered'],
      ['cancel', 'registered'],
    ]);
    expect((await simulator.ledger(system.account))[0]?.voided_at).toBe(published.data['cancelled_at']);
  });

  test('refuse_void: publishes the refusal and keeps the registration; it can be requested again', async () => {
    const request = await system.submit({ simulate: 'refuse_void' });
    await system.until(request.document_id, 'registered');
    const cancellation = system.cancellation(request);
    await system.consumer.on([cancellation]);
    const published = await system.publishedEvent('fiscal.cancellation-refused.v1', request.document_id);
    expect(published.data).toMatchObject({ error: { code: 'SBX-3002' }, cancellation: cancellation.sequence });
    await system.consumer.on([cancellation]); // A repeated message.
    expect((await system.until(request.document_id, 'registered')).attemptCount).toBe(2);
    await system.consumer.on([system.cancellation(request, { simulate: null })]);
    await system.until(request.document_id, 'cancelled');
  });

  test('waits until the outcome of a registration under way is known', async () => {
    const request = await system.submit({ simulate: 'slow:300' });
    await system.consumer.on([system.cancellation(request)]);
    const state = await system.until(request.document_id, 'cancelled');
    expect(state.attempts.map(({ kind }) => kind)).toEqual(['submit', 'cancel']);
    expect(typesOf(request.document_id)[0]).toBe(REGISTERED);
  });

  test('is dropped when the registration is rejected', async () => {
    const request = await system.submit({ simulate: 'unavailable:1' });
    await system.consumer.on([system.cancellation({ ...request, simulate: 'reject' })]);
    await system.until(request.document_id, 'cancelled');
    const other = await system.submit({ simulate: 'reject' });
    await system.consumer.on([system.cancellation(other)]);
    await system.until(other.document_id, 'rejected');
    expect(typesOf(other.document_id)).not.toContain('fiscal.document-cancelled.v1');
  });

  test.each(['lost_request', 'lost_reply', 'error_after_accept', 'bad_signature', 'unavailable:2'])(
    '%s while cancelling: sent again',
    async (simulate) => {
      const request = await system.submit();
      await system.until(request.document_id, 'registered');
      await system.consumer.on([system.cancellation(request, { simulate })]);
      const state = await system.until(request.document_id, 'cancelled');
      expect(state.attempts.map(({ kind }) => kind)).toEqual(['submit', ...Array(simulate === 'unavailable:2' ? 3 : 2).fill('cancel')]);
      expect(typesOf(request.document_id)).not.toContain(DELAYED);
    },
  );
});

test('does not delay documents of the same account behind unanswered ones', async () => {
  const late = await Promise.all(
    ['slow:6000', 'slow:6000', 'slow:6000', 'duplicate_foreign', 'unavailable:12'].map((simulate) => system.submit({ simulate })),
  );
  const others = await Promise.all([1, 2, 3, 4, 5].map(() => system.submit()));
  await Promise.all(others.map(({ document_id }) => system.until(document_id, 'registered')));
  expect((await system.state(late[0]?.document_id ?? '')).status).toBe('pending');
  for (const { document_id } of late.filter((_, n) => n !== 3)) await system.until(document_id, 'registered');
});

test('ignores simulations of live documents', async () => {
  const authorities = new Map([['sandbox', sandboxAuthority(simulator.url) as unknown as Authority]]);
  const live = new FiscalSystem({ simulatorUrl: simulator.url, authorities });
  const event = live.requested({ simulate: 'reject' }, 'live');
  await live.consumer.on([event]);
  await live.publishedEvent(REGISTERED, event.data.document_id);
  await live.close();
});

test('a tax id that another account has taken, with the numbers of its documents, changes nothing', async () => {
  const attacker = new FiscalSystem({ simulatorUrl: simulator.url });
  const number = `INV-${system.account}`;
  const issuer = { ...registrationRequested('inv_1').issuer, tax_id: system.account };
  const squatting = await attacker.submit({ number, issuer });
  await attacker.until(squatting.document_id, 'registered');
  const { document_id } = await system.submit({ number, issuer });
  const { registration } = await system.until(document_id, 'registered');
  const rows = await simulator.ledger(system.account);
  expect(rows.map(({ code }) => code)).toEqual([expect.any(String), registration.code]);
  await attacker.close();
});
