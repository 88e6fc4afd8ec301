import { systemClock } from '@svc/kernel';
import { NotSent, type Http } from '../authorities/http.ts';
import { outgoingHttp } from '../authorities/outgoing.ts';
import { SimulatorProcess } from '../simulator-process.suite.ts';
import type { Command } from './domain/decide.ts';
import type { PreparedRecord } from './domain/facts.ts';
import { ahead, restarted, Stage } from '../stage.suite.ts';

/** Later than any claim: what a process had in hand when it was killed has come back. */
const later = ahead(61_000);
let simulator: SimulatorProcess;
const outgoing = outgoingHttp(systemClock);

beforeAll(async () => {
  simulator = await SimulatorProcess.start();
});
afterAll(async () => {
  await outgoing.close();
  await simulator.stop();
});

async function until(what: () => unknown): Promise<void> {
  for (let waited = 0; waited < 10_000 && !(await what()); waited += 5) await systemClock.sleep(5);
}

describe('a process that is killed', () => {
  test.each([
    ['after the authority registered', true],
    ['before the authority had it', false],
  ])('between the start and the end of an attempt, %s: one registration, nothing twice', async (_when, arrives) => {
    let isOut = false;
    const http: Http = async (request) => {
      if (arrives) await outgoing.http(request);
      isOut = true;
      return new Promise(() => undefined);
    };
    const before = new Stage({ simulatorUrl: simulator.url, http });
    const { document_id } = await before.submit();
    await until(() => isOut);
    before.crash();

    const stage = restarted(before, { simulatorUrl: simulator.url, clock: later });
    const state = await stage.until(document_id, 'registered');
    expect((await stage.tells('fiscal.document-delayed.v1', document_id)).data).toMatchObject({ status: 'unknown', attempts: 1 });
    expect(state.attempts.map(({ kind, ended }) => [kind, ended?.verdict])).toEqual(
      arrives
        ? [
            ['submit', 'unknown'],
            ['query', 'registered'],
          ]
        : [
            ['submit', 'unknown'],
            ['query', 'absent'],
            ['submit', 'registered'],
          ],
    );
    const rows = await simulator.ledger(stage.account);
    expect(rows.map(({ received }) => received.length)).toEqual([1]);
    await stage.close();
  });

  test('between the stream and the row: the message comes again, and mends it', async () => {
    const before = new Stage({ simulatorUrl: simulator.url, http: () => new Promise(() => undefined) });
    const event = before.requested();
    const { rows } = before.fiscal.context;
    await before.consumer.on([event]);
    await rows.write([{ delete: event.data.document_id }]);
    before.crash();

    const stage = restarted(before, { simulatorUrl: simulator.url, clock: later });
    await stage.consumer.on([event]);
    await stage.until(event.data.document_id, 'registered');
    expect(await simulator.ledger(stage.account)).toHaveLength(1);
    await stage.close();
  });

  test('with work that was put off: it goes on when its time has come', async () => {
    const http: Http = async () => {
      throw new NotSent('nobody listens');
    };
    const before = new Stage({ simulatorUrl: simulator.url, http, pace: 'live' });
    const { document_id } = await before.submit();
    await until(
      async () =>
        ((await before.row(document_id))?.due_at ?? 0) < systemClock.now() + 10_000 && (await before.attempts(document_id))[0]?.outcome,
    );
    expect(await before.attempts(document_id)).toMatchObject([{ outcome: 'deferred', http_status: null, error: { code: 'unreachable' } }]);
    before.crash();
    const stage = restarted(before, { simulatorUrl: simulator.url });
    await stage.until(document_id, 'registered');
    expect(stage.told.map(({ type }) => type)).not.toContain('fiscal.document-delayed.v1');
    await stage.close();
  });

  test('before the bus took what it was told: it is told again, in the same bytes', async () => {
    const before = new Stage({ simulatorUrl: simulator.url, publish: () => Promise.reject(new Error('the bus is away')) });
    const { document_id } = await before.submit();
    const first = await before.tells('fiscal.document-registered.v1', document_id);
    before.crash();
    const stage = restarted(before, { simulatorUrl: simulator.url });
    const again = await stage.tells('fiscal.document-registered.v1', document_id);
    expect(JSON.stringify(again)).toBe(JSON.stringify(first));
    await stage.close();
  });
});

describe('messages that come twice', () => {
  test('the same round, at once and after its outcome, is one submission', async () => {
    const stage = new Stage({ simulatorUrl: simulator.url });
    const event = stage.requested();
    await Promise.all([stage.consumer.on([event]), stage.consumer.on([event, event])]);
    const state = await stage.until(event.data.document_id, 'registered');
    await stage.consumer.on([event]);
    expect(state.attempts).toHaveLength(1);
    await systemClock.sleep(50);
    expect((await stage.attempts(event.data.document_id)).length).toBe(1);
    await stage.close();
  });

  test('the same message, taken in by another process while the first one is calling, changes nothing', async () => {
    const slow: Http = async (request) => {
      await systemClock.sleep(400);
      return outgoing.http(request);
    };
    const stage = new Stage({ simulatorUrl: simulator.url, http: slow });
    const other = new Stage({ simulatorUrl: simulator.url, beside: stage });
    const event = stage.requested();
    await stage.consumer.on([event]);
    await until(async () => (await stage.attempts(event.data.document_id)).length === 1);
    await other.consumer.on([event]);
    await other.consumer.on([stage.cancellation(event.data)]);
    const state = await stage.until(event.data.document_id, 'cancelled');
    expect(state.attempts.map(({ kind, ended }) => [kind, ended?.verdict])).toEqual([
      ['submit', 'registered'],
      ['cancel', 'cancelled'],
    ]);
    await other.fiscal.stop();
    await stage.close();
  });

  test('a void of what was never submitted, or by an authority that this release does not know, is refused to the bus', async () => {
    const stage = new Stage({ simulatorUrl: simulator.url });
    const event = stage.requested();
    await expect(stage.consumer.on([stage.cancellation(event.data, { authority: 'xx' })])).rejects.toThrow('xx');
    await expect(stage.consumer.on([stage.cancellation(event.data)])).rejects.toThrow('never submitted');
    await stage.consumer.on([{ ...event, type: 'invoicing.something-new.v1' }]);
    await stage.close();
  });
});

test('an authority that is killed in the middle of 60 submissions: each registered once', async () => {
  const stage = new Stage({ simulatorUrl: simulator.url });
  const events = Array.from({ length: 60 }, () => stage.requested());
  await stage.consumer.on(events);
  await until(() => stage.told.length > 10);
  await simulator.crashAndRestart();
  for (const { subject } of events) await stage.until(subject, 'registered');
  const rows = await simulator.ledger(stage.account);
  expect(rows).toHaveLength(60);
  for (const { received, record_sha256 } of rows) for (const one of received) expect(one.record_sha256).toBe(record_sha256);
  const codes = await Promise.all(events.map(async ({ subject }) => (await stage.until(subject, 'registered')).registration.code));
  expect(new Set(codes)).toEqual(new Set(rows.map(({ code }) => code)));
  await stage.close();
});

test('an authority that answers nobody is probed once in a while, and then all goes on', async () => {
  let calls = 0;
  let isBroken = true;
  const http: Http = (request) => {
    calls += 1;
    return isBroken ? Promise.reject(new NotSent('nobody listens')) : outgoing.http(request);
  };
  const stage = new Stage({ simulatorUrl: simulator.url, http });
  const events = Array.from({ length: 40 }, () => stage.requested());
  await stage.consumer.on(events);
  await systemClock.sleep(1_000);
  expect(calls).toBeLessThan(40); // 10 to see it, one every 300 ms since
  isBroken = false;
  for (const { subject } of events) await stage.until(subject, 'registered');
  await stage.close();
});

test('the exact bytes of each call are kept, and their hash stands in the attempt', async () => {
  const stage = new Stage({ simulatorUrl: simulator.url });
  const { document_id } = await stage.submit({ simulate: 'truncated' });
  const state = await stage.until(document_id, 'registered');
  for (const { message_id, request_sha256, ended } of state.attempts) {
    const { wireLog } = stage.fiscal.context;
    const [sent, received] = [await wireLog.get(`${message_id}.sent`), await wireLog.get(`${message_id}.received`)];
    const hash = async (text: string) => Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('hex');
    expect(await hash(sent?.bytes || (sent?.head ?? '').replace('GET ', ''))).toBe(request_sha256);
    expect(await hash(received?.bytes ?? '')).toBe(ended?.response_sha256);
  }
  await stage.close();
});

/** A submission whose 200 stored attempts all got no answer; the event that opened it comes again. */
async function afterManyAttempts(stage: Stage, simulate: string | null) {
  const { submissions, authorities } = stage.fiscal.context;
  const event = stage.requested({ simulate });
  const stream = `submission-test.${stage.account}.${event.subject}`;
  const prepared = { ...authorities.get('sandbox')?.prepare(event.data), deadline: null } as PreparedRecord;
  const { document_id, kind, round, authority, number } = event.data;
  const opened = { document_id, kind, round, authority, number, issuer_tax_id: stage.account, simulate, traceparent: null };
  const at = '2026-03-01T10:00:00.000Z';
  const does = (command: Command) => submissions.handle(stream, () => command, { account: stage.account, env: 'test' });
  await does({ do: 'open', opened, prepared, at });
  const facts = { kind: 'submit' as const, can_query: true, absence: null, duration_ms: 1, http_status: 503, response_sha256: null };
  const result = { verdict: 'deferred' as const, error: { code: 'unavailable', message: 'm' } };
  for (let n = 1; n <= 200; n += 1) {
    await does({ do: 'start_attempt', round: 1, kind: 'submit', message_id: `m${n}`, request_sha256: 'aa', at });
    await does({ do: 'end_attempt', n, result, ...facts, next_attempt_at: at, at });
  }
  return { event, stream, document_id };
}

test('an outage of more than 200 attempts: the rest is counted, and all of it is told in the end', async () => {
  const stage = new Stage({ simulatorUrl: simulator.url });
  const { event, stream, document_id } = await afterManyAttempts(stage, 'unavailable:3');
  const { streams } = stage.fiscal.context;
  const before = (await streams.read(stream)).length;
  await stage.consumer.on([event]);
  const told = await stage.tells('fiscal.document-registered.v1', document_id);
  expect(told.data).toMatchObject({ attempts: 204 });
  expect(await stage.attempts(document_id)).toHaveLength(200);
  expect((await streams.read(stream)).length).toBe(before + 1);
  await stage.close();
});

test('a doubt that lasts for more than 200 attempts stores nothing more, and its outcome is learnt in the end', async () => {
  let sends = 0;
  let isBroken = true;
  const http: Http = (request) => {
    if (request.method !== 'GET') sends += 1;
    return isBroken && request.method !== 'GET' ? Promise.reject(new Error('the connection broke')) : outgoing.http(request);
  };
  const stage = new Stage({ simulatorUrl: simulator.url, http });
  const { event, stream, document_id } = await afterManyAttempts(stage, null);
  const { streams } = stage.fiscal.context;
  const before = (await streams.read(stream)).length;
  await stage.consumer.on([event]);
  await until(() => sends >= 10);
  expect(sends).toBeGreaterThanOrEqual(10);
  expect((await streams.read(stream)).length).toBe(before + 1);
  isBroken = false;
  await stage.until(document_id, 'registered');
  expect((await streams.read(stream)).length).toBeLessThanOrEqual(before + 4);
  await stage.close();
});

test('killed in a call that is counted alone: it is a doubt, and the authority is asked before anything is sent again', async () => {
  const sent = Promise.withResolvers<void>();
  const http: Http = async (request) => {
    await outgoing.http(request);
    sent.resolve();
    return new Promise(() => undefined);
  };
  const before = new Stage({ simulatorUrl: simulator.url, http });
  const { event, document_id } = await afterManyAttempts(before, null);
  await before.consumer.on([event]);
  await sent.promise;
  before.crash();
  const kinds: string[] = [];
  const asked: Http = (request) => {
    kinds.push(request.method);
    return outgoing.http(request);
  };
  const stage = restarted(before, { simulatorUrl: simulator.url, clock: later, http: asked });
  await stage.until(document_id, 'registered');
  expect(kinds).toEqual(['GET']);
  await stage.tells('fiscal.document-delayed.v1', document_id);
  await stage.close();
});
