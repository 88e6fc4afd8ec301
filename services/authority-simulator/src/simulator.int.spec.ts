import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { recordOf, sandboxClient, type SampleDocument } from './testing/sandbox-client.ts';
import { startSimulator, type Simulator } from './server.ts';

const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
const options = { port: 0, host: '127.0.0.1', file: join(folder, 'ledger.sqlite'), clock: systemClock, logger: { warn: () => undefined } };
let simulator: Simulator;
let sandbox: ReturnType<typeof sandboxClient>;
let samples = 0;

const sample = (): SampleDocument => ({ number: `INV-${(samples += 1)}`, issuer: 'L1' });
const rowOf = async ({ number }: SampleDocument) =>
  (await sandbox.ledger('?limit=10000')).data.find(({ document_number }) => document_number === number);

beforeAll(async () => {
  simulator = await startSimulator(options);
  sandbox = sandboxClient(simulator.url);
});
afterAll(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true });
});

describe('a registration', () => {
  test('gets a signed response for its message, and is in the ledger', async () => {
    const document = sample();
    const { status, isSigned, body } = await sandbox.register(document);
    expect([status, isSigned]).toEqual([200, true]);
    expect(body).toMatchObject({
      request_id: expect.stringMatching(/^message-/),
      status: 'registered',
      document_number: document.number,
      voided_at: null,
    });
    expect(await rowOf(document)).toEqual({
      document_number: document.number,
      issuer_tax_id: 'L1',
      code: body['code'],
      record_sha256: body['record_sha256'],
      registered_at: body['registered_at'],
      voided_at: null,
      received: [{ at: expect.stringMatching(/Z$/), record_sha256: body['record_sha256'] }],
    });
  });

  test('of the same record gets the same code, and each submission is recorded', async () => {
    const document = sample();
    const [one, two] = [await sandbox.register(document), await sandbox.register(document)];
    expect(two.body['code']).toBe(one.body['code']);
    expect((await rowOf(document))?.received).toHaveLength(2);
  });

  test('of another record under the number is a duplicate with the first hash, and is in the ledger', async () => {
    const document = sample();
    const first = await sandbox.register(document);
    const { status, isSigned, body } = await sandbox.register({ ...document, total: '13' });
    expect([status, isSigned, body['status'], body['record_sha256']]).toEqual([409, true, 'duplicate', first.body['record_sha256']]);
    const row = await rowOf(document);
    expect([row?.record_sha256, new Set(row?.received.map((one) => one.record_sha256)).size]).toEqual([first.body['record_sha256'], 2]);
  });

  test('of the same number by another issuer is another document', async () => {
    const document = sample();
    const [one, two] = [await sandbox.register(document), await sandbox.register({ ...document, issuer: 'L2' })];
    expect(two.status).toBe(200);
    expect(two.body['code']).not.toBe(one.body['code']);
  });

  test('of one record 20 times at once is one', async () => {
    const document = sample();
    const said = await Promise.all(Array.from({ length: 20 }, () => sandbox.register(document)));
    expect(new Set(said.map(({ body }) => body['code'])).size).toBe(1);
    expect((await rowOf(document))?.received).toHaveLength(20);
  });

  test.each([
    ['a field missing', { currency: undefined }, 'SBX-1000'],
    ['a total that is no decimal', { total: 'much' }, 'SBX-1000'],
    ["another document's issuer_code", { issuer_code: 'A'.repeat(32) }, 'SBX-1002'],
  ])('with %s is rejected', async (_what, over, code) => {
    const document = sample();
    const record = recordOf(document, over);
    const record_sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(record))).toString('hex');
    const { status, isSigned, body } = await sandbox.register(document, undefined, { record, record_sha256 });
    expect([status, isSigned, body.error?.code]).toEqual([422, true, code]);
    expect(await rowOf(document)).toBeUndefined();
  });

  test('that is malformed gets an unsigned refusal', async () => {
    const said = [
      await sandbox.register(sample(), undefined, { record_sha256: 'aa' }),
      await sandbox.register(sample(), undefined, { message_id: 7 }),
      await sandbox.call('POST', '/sandbox/v1/registrations', { body: 'not json' }),
      await sandbox.call('POST', '/sandbox/v1/cancellations', { body: {} }),
      await sandbox.call('GET', '/sandbox/v1/registrations?document_number=1'),
      await sandbox.call('POST', '/sandbox/v1/registrations', { body: 'x'.repeat(3_000_000) }),
      await sandbox.call('GET', '/nothing'),
    ];
    expect(said.map(({ status, isSigned }) => [status, isSigned])).toEqual([...Array(5).fill([400, false]), [413, false], [404, false]]);
  });
});

describe('scripted faults', () => {
  test('lost_request: registers nothing the first time, and the second time does', async () => {
    const document = sample();
    await expect(sandbox.register(document, 'lost_request')).rejects.toThrow();
    expect((await sandbox.query(document, 'lost_request')).body['status']).toBe('absent');
    expect((await sandbox.register(document, 'lost_request')).status).toBe(200);
    expect((await rowOf(document))?.received).toHaveLength(2);
  });

  test('lost_reply: registers without a response, once', async () => {
    const document = sample();
    await expect(sandbox.register(document, 'lost_reply')).rejects.toThrow();
    expect((await sandbox.query(document, 'lost_reply')).body).toMatchObject({ status: 'registered', code: (await rowOf(document))?.code });
    expect((await sandbox.register(document, 'lost_reply')).status).toBe(200);
  });

  test.each([
    ['error_after_accept', { status: 500, isSigned: false }],
    ['bad_signature', { status: 200, isSigned: false }],
    ['truncated', { status: 200, isSigned: false, body: {} }],
    ['wrong_request_id', { status: 200, isSigned: true, body: { request_id: expect.stringMatching(/x$/) } }],
  ])('%s: registered, and an answer not to be believed, once', async (simulate, answer) => {
    const document = sample();
    expect(await sandbox.register(document, simulate)).toMatchObject(answer);
    const { code } = (await rowOf(document)) ?? {};
    expect(await sandbox.register(document, simulate)).toMatchObject({
      status: 200,
      isSigned: true,
      body: { code, request_id: expect.stringMatching(/\d$/) },
    });
  });

  test('unavailable:<n>: answers n calls of any kind with 503', async () => {
    const document = sample();
    const calls = [sandbox.register, sandbox.query, sandbox.cancel, sandbox.register];
    const said: number[] = [];
    for (const call of calls) said.push((await call(document, 'unavailable:3')).status);
    expect(said).toEqual([503, 503, 503, 200]);
  });

  test('slow:<ms>: registers at once and responds late', async () => {
    const document = sample();
    const answer = sandbox.register(document, 'slow:400');
    const started = performance.now();
    await until(async () => (await rowOf(document)) !== undefined);
    expect((await answer).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(300);
  });

  test('reject and reject:<code>: reject every time; reject_once: rejects the first time, and earlier submissions do not count', async () => {
    const [always, once] = [sample(), sample()];
    const said = [];
    for (const simulate of ['reject', 'reject:E4711', 'reject:credentials', 'reject:setup'])
      said.push((await sandbox.register(always, simulate)).body.error);
    expect(said).toMatchObject([
      { code: 'SBX-1001', fix: 'data' },
      { code: 'E4711', fix: 'data' },
      { code: 'credentials', fix: 'credentials' },
      { code: 'setup', fix: 'setup' },
    ]);
    expect(await rowOf(always)).toBeUndefined();
    expect((await sandbox.register(once, 'reject_once')).status).toBe(422);
    expect((await sandbox.register({ ...once, total: '99' }, 'reject_once')).status).toBe(200);
    expect((await rowOf(once))?.received).toHaveLength(1);
  });

  test('duplicate returns our record, duplicate_foreign another one that is in no ledger', async () => {
    const [own, foreign] = [sample(), sample()];
    const first = await sandbox.register(own, 'duplicate');
    expect([first.status, first.body['record_sha256']]).toEqual([409, (await rowOf(own))?.record_sha256]);
    const second = await sandbox.register(foreign, 'duplicate_foreign');
    expect([second.status, second.body['status'], await rowOf(foreign)]).toEqual([409, 'duplicate', undefined]);
    expect((await sandbox.register(foreign)).status).toBe(200);
    expect((await rowOf(foreign))?.received).toHaveLength(1);
  });

  test('accept_with_warnings registers; unknown values, also non-ASCII ones, register', async () => {
    expect((await sandbox.register(sample(), 'accept_with_warnings')).body['warnings']).toHaveLength(1);
    expect((await sandbox.register(sample(), 'whatever')).status).toBe(200);
    expect((await sandbox.register(sample(), Buffer.from('reject:žé', 'utf8').toString('latin1'))).body.error?.code).toBe('žé');
  });
});

describe('a cancellation', () => {
  test('is registered once, and repeating it gets the same response', async () => {
    const document = sample();
    await sandbox.register(document);
    const [one, two] = [await sandbox.cancel(document), await sandbox.cancel(document)];
    expect(one.body).toMatchObject({ status: 'cancelled', voided_at: (await rowOf(document))?.voided_at });
    expect(two.body['voided_at']).toBe(one.body['voided_at']);
    expect((await sandbox.query(document)).body['status']).toBe('cancelled');
  });

  test('of an unregistered document, or with refuse_void, is refused', async () => {
    const document = sample();
    expect((await sandbox.cancel(document)).body).toMatchObject({ status: 'refused', error: { code: 'SBX-3001' } });
    await sandbox.register(document);
    expect(await sandbox.cancel(document, 'refuse_void')).toMatchObject({ status: 422, body: { error: { code: 'SBX-3002' } } });
    expect((await rowOf(document))?.voided_at).toBeNull();
  });

  test('has lost_request and lost_reply faults too', async () => {
    const document = sample();
    await sandbox.register(document);
    await expect(sandbox.cancel(document, 'lost_request')).rejects.toThrow();
    expect((await rowOf(document))?.voided_at).toBeNull();
    await expect(sandbox.cancel(document, 'lost_reply')).rejects.toThrow();
    expect((await rowOf(document))?.voided_at).not.toBeNull();
  });
});

test('shows the registration at the link on a document', async () => {
  const document = sample();
  const look = () => sandbox.call('GET', `/sandbox/v1/verify?number=${document.number}&issuer=${document.issuer}`);
  expect((await look()).body).toEqual({ registered: false });
  const { body } = await sandbox.register(document);
  expect((await look()).body).toEqual({ registered: true, code: body['code'], registered_at: body['registered_at'], voided_at: null });
});

describe('the ledger', () => {
  test('is paged in order of registration and can be emptied', async () => {
    expect(await sandbox.call('DELETE', '/ledger')).toMatchObject({ status: 200, body: { meta: { total: 0 } } });
    const documents = [sample(), sample(), sample(), sample(), sample()];
    for (const document of documents) await sandbox.register(document);
    const numbers = documents.map(({ number }) => number);
    const page = async (query: string) => (await sandbox.ledger(query)).data.map(({ document_number }) => document_number);
    expect(await sandbox.ledger()).toMatchObject({ meta: { total: 5 } });
    expect(await page('?limit=2')).toEqual(numbers.slice(0, 2));
    expect(await page('?after=2&limit=2')).toEqual(numbers.slice(2, 4));
    expect(await page('?after=4')).toEqual(numbers.slice(4));
    expect(await page('?after=5')).toEqual([]);
    for (const query of ['?after=x', '?limit=-1']) expect((await sandbox.call('GET', `/ledger${query}`)).status).toBe(400);
    await sandbox.call('DELETE', '/ledger');
    expect(await sandbox.ledger()).toEqual({ data: [], meta: { total: 0 } });
    await sandbox.register(sample());
    expect(await page('?after=0')).toHaveLength(1);
  });

  test('survives a restart, with the counts of scripted calls', async () => {
    const [document, lost] = [sample(), sample()];
    await sandbox.register(document);
    await expect(sandbox.register(lost, 'lost_reply')).rejects.toThrow();
    const before = await sandbox.ledger();
    await simulator.close();
    simulator = await startSimulator(options);
    sandbox = sandboxClient(simulator.url);
    expect(await sandbox.ledger()).toEqual(before);
    expect((await sandbox.register(lost, 'lost_reply')).status).toBe(200);
  });

  test('rejects for a taken port and closes the file', async () => {
    const port = Number(new URL(simulator.url).port);
    await expect(startSimulator({ ...options, port, file: join(folder, 'other.sqlite') })).rejects.toThrow('EADDRINUSE');
  });

  test('cancels open calls on close', async () => {
    const other = await startSimulator({ ...options, file: join(folder, 'third.sqlite') });
    const late = sandboxClient(other.url).register(sample(), 'slow:60000');
    const dropped = expect(late).rejects.toThrow();
    await systemClock.sleep(100);
    await other.close();
    await dropped;
  });
});
