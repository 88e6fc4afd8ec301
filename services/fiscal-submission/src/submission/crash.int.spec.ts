import { createHash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { systemClock } from '@svc/kernel';
import { NotSent, type Http, outgoingHttp } from '../sending/http.ts';
import { SimulatorProcess } from '../testing/simulator-process.ts';
import type { Command } from './domain/decide.ts';
import type { PreparedRecord } from './domain/facts.ts';
import type { WireEntry } from './wire-log.ts';
import { ahead, restarted, FiscalSystem } from '../testing/system.ts';

/** Ahead of the end of any claim: rows of the killed process are due again. */
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

describe('a killed process', () => {
  test.each([
    ['after the authority registered', true],
    ['before the authority had it', false],
  ])('between start and end of an attempt, %s: one registration and no repeated event', async (_when, arrives) => {
    let isOut = false;
    const http: Http = async (request) => {
      if (arrives) await outgoing.http(request);
      isOut = true;
      return new Promise(() => undefined);
    };
    const before = new FiscalSystem({ simulatorUrl: simulator.url, http });
    const { document_id } = await before.submit();
    await until(() => isOut);
    before.crash();

    const system = restarted(before, { simulatorUrl: simulator.url, clock: later });
    const state = await system.until(document_id, 'registered');
    expect((await system.publishedEvent('fiscal.document-delayed.v1', document_id)).data).toMatchObject({ status: 'unknown', attempts: 1 });
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
    const rows = await simulator.ledger(system.account);
    expect(rows.map(({ received }) => received.length)).toEqual([1]);
    await system.close();
  });

  test('between the writes of stream and row: the repeated message writes the row', async () => {
    const before = new FiscalSystem({ simulatorUrl: simulator.url, http: () => new Promise(() => undefined) });
    const event = before.requested();
    const { rows } = before.fiscal.context;
    await before.consumer.on([event]);
    await rows.write([{ delete: event.data.document_id }]);
    before.crash();

    const system = restarted(before, { simulatorUrl: simulator.url, clock: later });
    await system.consumer.on([event]);
    await system.until(event.data.document_id, 'registered');
    expect(await simulator.ledger(system.account)).toHaveLength(1);
    await system.close();
  });

  test('with postponed work: the next process continues when it is due', async () => {
    const http: Http = async () => {
      throw new NotSent('nothing listens');
    };
    const before = new FiscalSystem({ simulatorUrl: simulator.url, http, pace: 'live' });
    const { document_id } = await before.submit();
    await until(
      async () =>
        ((await before.row(document_id))?.due_at ?? 0) < systemClock.now() + 10_000 && (await before.attempts(document_id))[0]?.outcome,
    );
    expect(await before.attempts(document_id)).toMatchObject([{ outcome: 'deferred', http_status: null, error: { code: 'unreachable' } }]);
    before.crash();
    const system = restarted(before, { simulatorUrl: simulator.url });
    await system.until(document_id, 'registered');
    expect(system.published.map(({ data }) => (data as { status?: string }).status)).not.toContain('unknown');
    await system.close();
  });

  test('before the bus accepted an event: it is published again with the same bytes', async () => {
    const before = new FiscalSystem({ simulatorUrl: simulator.url, publish: () => Promise.reject(new Error('the bus is away')) });
    const { document_id } = await before.submit();
    const first = await before.publishedEvent('fiscal.document-registered.v1', document_id);
    before.crash();
    const system = restarted(before, { simulatorUrl: simulator.url });
    const again = await system.publishedEvent('fiscal.document-registered.v1', document_id);
    expect(JSON.stringify(again)).toBe(JSON.stringify(first));
    await system.close();
  });
});

describe('repeated messages', () => {
  test('open one submission for the same round, concurrent or after its outcome', async () => {
    const system = new FiscalSystem({ simulatorUrl: simulator.url });
    const event = system.requested();
    await Promise.all([system.consumer.on([event]), system.consumer.on([event, event])]);
    const state = await system.until(event.data.document_id, 'registered');
    await system.consumer.on([event]);
    expect(state.attempts).toHaveLength(1);
    await systemClock.sleep(50);
    expect((await system.attempts(event.data.document_id)).length).toBe(1);
    await system.close();
  });

  test('change nothing when another process handles them during a call', async () => {
    const slow: Http = async (request) => {
      await systemClock.sleep(400);
      return outgoing.http(request);
    };
    const system = new FiscalSystem({ simulatorUrl: simulator.url, http: slow });
    const other = new FiscalSystem({ simulatorUrl: simulator.url, sharing: system });
    const event = system.requested();
    await system.consumer.on([event]);
    await until(async () => (await system.attempts(event.data.document_id)).length === 1);
    await other.consumer.on([event]);
    await other.consumer.on([system.cancellation(event.data)]);
    const state = await system.until(event.data.document_id, 'cancelled');
    expect(state.attempts.map(({ kind, ended }) => [kind, ended?.verdict])).toEqual([
      ['submit', 'registered'],
      ['cancel', 'cancelled'],
    ]);
    await other.fiscal.background.beforeApplicationShutdown();
    await system.close();
  });

  test('rejects a cancellation of an unsubmitted document, and one for an unknown authority', async () => {
    const system = new FiscalSystem({ simulatorUrl: simulator.url });
    const event = system.requested();
    await expect(system.consumer.on([system.cancellation(event.data, { authority: 'xx' })])).rejects.toThrow('xx');
    await expect(system.consumer.on([system.cancellation(event.data)])).rejects.toThrow('never submitted');
    await system.consumer.on([{ ...event, type: 'invoicing.something-new.v1' }]);
    await system.close();
  });
});

test('registers 60 submissions once each although the authority is killed midway', async () => {
  const system = new FiscalSystem({ simulatorUrl: simulator.url });
  const events = Array.from({ length: 60 }, () => system.requested());
  await system.consumer.on(events);
  await until(() => system.published.length > 10);
  await simulator.crashAndRestart();
  for (const { subject } of events) await system.until(subject, 'registered');
  const rows = await simulator.ledger(system.account);
  expect(rows).toHaveLength(60);
  for (const { received, record_sha256 } of rows) for (const one of received) expect(one.record_sha256).toBe(record_sha256);
  const codes = await Promise.all(events.map(async ({ subject }) => (await system.until(subject, 'registered')).registration.code));
  expect(new Set(codes)).toEqual(new Set(rows.map(({ code }) => code)));
  await system.close();
});

test('probes an authority that does not respond, and resumes when it does', async () => {
  let calls = 0;
  let isBroken = true;
  const http: Http = (request) => {
    calls += 1;
    return isBroken ? Promise.reject(new NotSent('nothing listens')) : outgoing.http(request);
  };
  const system = new FiscalSystem({ simulatorUrl: simulator.url, http });
  const events = Array.from({ length: 40 }, () => system.requested());
  await system.consumer.on(events);
  await systemClock.sleep(1_000);
  expect(calls).toBeLessThan(40); // 10 to open the circuit breaker, then one every 300 ms.
  isBroken = false;
  for (const { subject } of events) await system.until(subject, 'registered');
  await system.close();
});

test.each([
  ['as they are', 1],
  ['compressed where they are large', 300],
])('stores the exact bytes of each call, %s, and their hash in the attempt', async (_how, lines) => {
  const system = new FiscalSystem({ simulatorUrl: simulator.url });
  const { document } = system.requested().data;
  const items = Array.from({ length: lines }, () => document.items[0] as (typeof document.items)[0]);
  const { document_id } = await system.submit({ simulate: 'truncated', document: { ...document, items } });
  const state = await system.until(document_id, 'registered');
  const { wireLog } = system.fiscal.context;
  const bytesOf = ({ bytes, encoding }: WireEntry): Buffer =>
    encoding === 'zstd' ? zstdDecompressSync(Buffer.from(bytes, 'base64')) : Buffer.from(bytes, encoding);
  const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  for (const { message_id, request_sha256, ended } of state.attempts) {
    const [sent, received] = (await Promise.all(['sent', 'received'].map((way) => wireLog.get(`${message_id}.${way}`)))) as WireEntry[];
    const body = bytesOf(sent as WireEntry);
    expect(hash(body.length > 0 ? body : Buffer.from((sent?.head ?? '').replace('GET ', '')))).toBe(request_sha256);
    expect(hash(bytesOf(received as WireEntry))).toBe(ended?.response_sha256);
    if (lines > 1 && body.length > 0) expect(sent?.bytes.length).toBeLessThan(body.length / 10);
  }
  await system.close();
});

/** A submission whose 200 stored attempts all had no response, and the event that opened it. */
async function afterManyAttempts(system: FiscalSystem, simulate: string | null) {
  const { submissions, authorities } = system.fiscal.context;
  const event = system.requested({ simulate });
  const stream = `submission-test.${system.account}.${event.subject}`;
  const prepared = { ...authorities.test.get('sandbox')?.record(event.data), deadline: null } as PreparedRecord;
  const { document_id, kind, round, authority, number } = event.data;
  const opened = { document_id, kind, round, authority, number, issuer_tax_id: system.account, simulate, traceparent: null };
  const at = '2026-03-01T10:00:00.000Z';
  const does = (command: Command) => submissions.handle(stream, () => command, { account: system.account, env: 'test' });
  await does({ do: 'open', opened, prepared, at });
  const facts = { kind: 'submit' as const, can_query: true, absence: null, duration_ms: 1, http_status: 503, response_sha256: null };
  const result = { kind: 'deferred' as const, error: { code: 'unavailable', message: 'm' } };
  for (let n = 1; n <= 200; n += 1) {
    await does({ do: 'start_attempt', n, round: 1, kind: 'submit', message_id: `m${n}`, request_sha256: 'aa', at });
    await does({ do: 'end_attempt', n, result, ...facts, next_attempt_at: at, at });
  }
  return { event, stream, document_id };
}

test('counts attempts beyond 200 and publishes the whole count with the outcome', async () => {
  const system = new FiscalSystem({ simulatorUrl: simulator.url });
  const { event, stream, document_id } = await afterManyAttempts(system, 'unavailable:3');
  const { streams } = system.fiscal.context;
  const before = (await streams.read(stream)).length;
  await system.consumer.on([event]);
  const published = await system.publishedEvent('fiscal.document-registered.v1', document_id);
  expect(published.data).toMatchObject({ attempts: 204 });
  expect(await system.attempts(document_id)).toHaveLength(200);
  expect((await streams.read(stream)).length).toBe(before + 1);
  await system.close();
});

test('stores nothing more during a doubt of more than 200 attempts, and learns the outcome in the end', async () => {
  let sends = 0;
  let isBroken = true;
  const http: Http = (request) => {
    if (request.method !== 'GET') sends += 1;
    return isBroken && request.method !== 'GET' ? Promise.reject(new Error('the connection broke')) : outgoing.http(request);
  };
  const system = new FiscalSystem({ simulatorUrl: simulator.url, http });
  const { event, stream, document_id } = await afterManyAttempts(system, null);
  const { streams } = system.fiscal.context;
  const before = (await streams.read(stream)).length;
  await system.consumer.on([event]);
  await until(() => sends >= 10);
  expect(sends).toBeGreaterThanOrEqual(10);
  expect((await streams.read(stream)).length).toBe(before + 1);
  isBroken = false;
  await system.until(document_id, 'registered');
  expect((await streams.read(stream)).length).toBeLessThanOrEqual(before + 4);
  await system.close();
});

test('treats an unstored call of a killed process as a doubt, and queries the authority before sending again', async () => {
  const sent = Promise.withResolvers<void>();
  const http: Http = async (request) => {
    await outgoing.http(request);
    sent.resolve();
    return new Promise(() => undefined);
  };
  const before = new FiscalSystem({ simulatorUrl: simulator.url, http });
  const { event, document_id } = await afterManyAttempts(before, null);
  await before.consumer.on([event]);
  await sent.promise;
  before.crash();
  const kinds: string[] = [];
  const asked: Http = (request) => {
    kinds.push(request.method);
    return outgoing.http(request);
  };
  const system = restarted(before, { simulatorUrl: simulator.url, clock: later, http: asked });
  await system.until(document_id, 'registered');
  expect(kinds).toEqual(['GET']);
  await system.publishedEvent('fiscal.document-delayed.v1', document_id);
  await system.close();
});
