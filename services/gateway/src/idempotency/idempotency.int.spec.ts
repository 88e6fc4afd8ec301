import { DomainError, settleTurns } from '@svc/kernel';
import { type Answer, type Call, EdgeApp, type Way, ways } from '../testing/edge-app.ts';
import { made } from '../testing/stub-service.ts';
import { createKey } from '../keys/create-key.ts';
import { ErasedCustomers } from '../consuming/customer.ts';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { FastifyRequest } from 'fastify';
import type { IdempotencyRow } from './row.ts';

const withEvents: Way = 'in one process with events';

describe.each([...ways, withEvents])('%s', (way) => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await EdgeApp.start({}, way);
  });
  beforeEach(() => {
    edge.work.commands.length = 0;
    edge.made.length = 0;
    edge.work.run = made;
  });
  afterAll(() => edge.stop());

  let last = 0;
  const newKey = (): string => `key-${(last += 1)}`;
  const post = (call: Call, key: string, body: unknown = { name: 'Ana' }, path = '/v1/customers'): Promise<Answer> =>
    call('POST', path, { body, headers: { 'idempotency-key': key } });
  const ran = ({ status, headers }: Answer): boolean => status < 300 && !headers['idempotent-replayed'];
  const code = ({ status, body }: Answer): string => `${status} ${body.error?.code ?? ''}`;

  /** Work that runs until it is released. */
  function held(): { started: Promise<void>; letGo: () => void } {
    let [start, letGo]: (() => void)[] = [];
    const started = new Promise<void>((resolve) => (start = resolve));
    const gone = new Promise<void>((resolve) => (letGo = resolve));
    edge.work.run = async (request) => {
      start?.();
      await gone;
      return made(request);
    };
    return { started, letGo: () => letGo?.() };
  }

  describe('a repeat', () => {
    test('gets the same bytes, marked as a replay, with its own request id and rate-limit headers, and runs nothing', async () => {
      const { call } = await edge.account();
      const key = newKey();
      const first = await post(call, key);
      const again = await post(call, key);
      expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
      expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
      expect([again.headers['content-type'], again.headers['etag']]).toEqual([first.headers['content-type'], first.headers['etag']]);
      expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
      expect(Number(again.headers['x-ratelimit-remaining'])).toBe(Number(first.headers['x-ratelimit-remaining']) - 1);
      expect(edge.work.commands).toHaveLength(1);
    });

    test('with another body, white space included, or another path is 409 idempotency_key_reused', async () => {
      const { call } = await edge.account();
      const key = newKey();
      await post(call, key);
      expect(code(await post(call, key, { name: 'Eva' }))).toBe('409 idempotency_key_reused');
      const spaced = await call('POST', '/v1/customers', { raw: '{"name":"Ana" }', headers: { 'idempotency-key': key } });
      expect(code(spaced)).toBe('409 idempotency_key_reused');
      expect(code(await post(call, key, {}, '/v1/invoices/inv_1/submit'))).toBe('409 idempotency_key_reused');
      expect((await post(call, key)).status).toBe(201);
    });

    test('with another query is 409 idempotency_key_reused', async () => {
      const { call } = await edge.account();
      const key = newKey();
      const body = { customer_id: `cust_${'0'.repeat(26)}`, items: [{ unit_price: 1 }] };
      const explained = await post(call, key, body, '/v1/invoices/preview?explain=true');
      expect([explained.status, explained.body]).toEqual([200, expect.objectContaining({ explained: true })]);
      expect(code(await post(call, key, body, '/v1/invoices/preview'))).toBe('409 idempotency_key_reused');
      expect((await post(call, key, body, '/v1/invoices/preview?explain=true')).headers['idempotent-replayed']).toBe('true');
    });

    test('of another account or environment is a separate request', async () => {
      const [one, two] = [await edge.account(), await edge.account()];
      const key = newKey();
      for (const call of [one.call, edge.caller(one.liveKey), two.call])
        expect((await post(call, key)).headers['idempotent-replayed']).toBeUndefined();
      expect(new Set(edge.work.commands).size).toBe(3);
    });

    test('gets the same bytes after kill -9', async () => {
      const { testKey, call } = await edge.account();
      const key = newKey();
      const first = await post(call, key);
      await edge.crash();
      const again = await post(edge.caller(testKey), key);
      expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    });
  });

  describe('concurrently', () => {
    test('20 requests are one run, the others are 409', async () => {
      const { call } = await edge.account();
      const key = newKey();
      const work = held();
      const answers = Promise.all(Array.from({ length: 20 }, () => post(call, key)));
      await work.started;
      expect(code(await post(call, key))).toBe('409 idempotency_key_in_use');
      work.letGo();
      const statuses = (await answers).map(({ status, headers }) => `${status} ${headers['retry-after'] ?? ''}`).sort();
      expect(statuses).toEqual(['201 ', ...Array(19).fill('409 1')]);
      expect(edge.work.commands).toHaveLength(1);
    });

    test('another body is 409 at once', async () => {
      const { call } = await edge.account();
      const key = newKey();
      const work = held();
      const first = post(call, key);
      await work.started;
      expect(code(await post(call, key, { name: 'Eva' }))).toBe('409 idempotency_key_reused');
      work.letGo();
      await first;
    });
  });

  describe('under the same command', () => {
    test('a repeat runs when the process died between claim and response: at once in one process, else after the lease', async () => {
      const { testKey, call } = await edge.account();
      const key = newKey();
      const work = held();
      const lost = post(call, key).catch((error: Error) => error);
      await work.started;
      const [command] = edge.work.commands;
      const crashed = edge.crash();
      await settleTurns();
      work.letGo();
      await Promise.all([crashed, lost]);
      const again = edge.caller(testKey);
      edge.work.run = made;
      const repeated = post(again, key);
      // It waits for what may still run, in steps.
      if (way === 'through the proxy') for (let step = 0; step < 10; step += 1) await edge.clock.advance(500, settleTurns);
      expect((await repeated).body).toMatchObject({ id: `cust_${command}` });
      expect(edge.work.commands).toEqual([command, command]);
    });

    test('a repeat runs at once after 5xx, 429 or 409', async () => {
      const { call } = await edge.account();
      for (const refusal of ['outcome_unknown', 'service_unavailable', 'rate_limit_exceeded', 'idempotency_key_in_use'] as const) {
        const key = newKey();
        edge.work.commands.length = 0;
        edge.work.run = async () => {
          throw new DomainError(refusal, 'Not now.');
        };
        expect((await post(call, key)).body.error?.code).toBe(refusal);
        edge.work.run = made;
        const again = await post(call, key);
        expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
        expect(new Set(edge.work.commands).size).toBe(1);
        expect(edge.work.commands).toHaveLength(2);
      }
    });

    test('of two repeats after the lease one runs', async () => {
      const { call } = await edge.account();
      const key = newKey();
      const work = held();
      const slow = post(call, key);
      await work.started;
      await edge.clock.advance(60_000);
      edge.work.run = made;
      const answers = await Promise.all([post(call, key), post(call, key)]);
      expect(answers.map(code).sort()).toEqual(['201 ', '409 idempotency_key_in_use']);
      work.letGo();
      await slow;
      expect(new Set(edge.work.commands).size).toBe(1);
      expect((await post(call, key)).headers['idempotent-replayed']).toBe('true');
    });
  });

  if (way === withEvents)
    describe('with the events of its command', () => {
      test('a claim is stored in their transaction: a request takes two, and one that is refused takes one', async () => {
        const { call } = await edge.account();
        await post(call, newKey());
        for (const [body, taken] of [[{ name: 'Ana' }, 2] as const, [{ nonsense: 1 }, 1] as const]) {
          const before = edge.commits;
          await post(call, newKey(), body);
          expect(edge.commits - before).toBe(taken);
        }
      });

      test.each<[string, unknown]>([
        ['is refused', { nonsense: 1 }],
        ['fails', { name: 'Ana' }],
      ])('the key of a request that %s is stored with no later write of its command', async (_, body) => {
        const { id: account, call } = await edge.account();
        const rows = (): Promise<IdempotencyRow[]> => Array.fromAsync(edge.gateway.idempotencyRows.find({}));
        const others = new Set((await rows()).map(({ _id }) => _id));
        const { append } = edge.work;
        edge.work.append = () => Promise.reject(new Error('no disk'));
        await post(call, newKey(), body);
        edge.work.append = append;
        const [row] = (await rows()).filter(({ _id }) => !others.has(_id)) as [IdempotencyRow];
        await edge.gateway.idempotencyRows.write([{ delete: row._id }]); // as when its time is over
        const actor = { type: 'system', id: 'test' };
        await append?.({ identity: { account, env: 'test', actor, commandId: row.command } } as FastifyRequest);
        expect(edge.made).toEqual([row.command]);
        expect(await edge.gateway.idempotencyRows.get(row._id)).toBeUndefined();
      });

      test('one of 50 in one turn appends, also when the process dies between events and response and all come again', async () => {
        const { testKey, call } = await edge.account();
        const key = newKey();
        const work = held();
        const lost = Promise.allSettled(Array.from({ length: 50 }, () => post(call, key)));
        await work.started;
        const crashed = edge.crash();
        await settleTurns();
        work.letGo();
        await Promise.all([crashed, lost]);
        edge.work.run = made;
        const together = await Promise.all(Array.from({ length: 50 }, () => post(edge.caller(testKey), key)));
        expect(together.filter(ran)).toHaveLength(1);
        expect((await post(edge.caller(testKey), key)).headers['idempotent-replayed']).toBe('true');
        expect(edge.made).toEqual([edge.work.commands[0]]);
        expect(new Set(edge.work.commands).size).toBe(1);
      });

      test('one key for two requests in one turn is one of them', async () => {
        const { call } = await edge.account();
        const key = newKey();
        const answers = await Promise.all([
          ...Array.from({ length: 5 }, () => post(call, key, { requests: [{ name: 'Ana' }] }, '/v1/customers/batch')),
          ...Array.from({ length: 5 }, () => post(call, key)),
        ]);
        expect(answers.filter(ran)).toHaveLength(1);
        expect(edge.work.commands).toHaveLength(1);
      });
    });

  describe('kept', () => {
    test('are errors of the handler and of validation', async () => {
      const { call } = await edge.account();
      const [wrong, gone] = [newKey(), newKey()];
      edge.work.run = async () => {
        throw new DomainError('invalid_state', 'Not any more.');
      };
      for (const [key, body, expected] of [
        [wrong, { nonsense: 1 }, '422 validation_error'],
        [gone, { name: 'Ana' }, '422 invalid_state'],
      ] as const) {
        const first = await post(call, key, body);
        const again = await post(call, key, body);
        expect([code(first), again.text, again.headers['idempotent-replayed']]).toEqual([expected, first.text, 'true']);
      }
    });

    test('a rotation is encrypted: a replay has the value, the store has not', async () => {
      const { call } = await edge.account();
      const key = newKey();
      const first = await post(call, key, {}, '/v1/api-keys/rotate');
      const again = await post(call, key, {}, '/v1/api-keys/rotate');
      expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
      const value = String(first.body['key']);
      for await (const row of edge.gateway.idempotencyRows.find({})) expect(JSON.stringify(row)).not.toContain(value);
    });

    test('a rotation is kept for its API key: under another key of the account it is a separate request', async () => {
      const { id: account, call } = await edge.account();
      const till = { account, env: 'test' as const, name: 'till', permissions: ['products:read' as const], expiresAt: null };
      const other = await createKey(edge.gateway.accounts, till, { actor: { type: 'system', id: 'test' } });
      const key = newKey();
      const first = await post(call, key, {}, '/v1/api-keys/rotate');
      const others = await post(edge.caller(other.value), key, {}, '/v1/api-keys/rotate');
      expect([others.status, others.body['id'], others.headers['idempotent-replayed']]).toEqual([200, other.key._id, undefined]);
      expect(others.text).not.toContain(String(first.body['key']));
      const again = await post(call, key, {}, '/v1/api-keys/rotate');
      expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    });

    test('nothing of an erased customer is kept: a repeat runs again, under the same command', async () => {
      const { id: account, call } = await edge.account();
      const [one, many] = [newKey(), newKey()];
      edge.work.run = async (request) => ({ ...(await made(request)), name: 'Ana Secret' });
      const first = await post(call, one);
      const customer = String(first.body['id']);
      edge.work.run = async () => ({ object: 'batch', data: [{ resource: { id: customer, name: 'Ana Secret' } }] });
      await post(call, many, { requests: [{ name: 'Ana Secret' }] }, '/v1/customers/batch');
      const erased = { type: 'invoicing.customer-erased.v1', env: 'test', account, subject: customer } as PublicEvent;
      await new ErasedCustomers(edge.gateway).on([erased]);
      for await (const row of edge.gateway.idempotencyRows.find({})) expect(JSON.stringify(row)).not.toContain('Ana Secret');
      edge.work.run = made;
      const again = await post(call, one);
      expect([again.body['id'], again.headers['idempotent-replayed']]).toEqual([customer, undefined]);
    });
  });

  test('a batch of which an item failed for the time being is not kept, and a repeat runs under the same command', async () => {
    const { call } = await edge.account();
    const key = newKey();
    const ask = () => post(call, key, { requests: [{ name: 'Ana' }] }, '/v1/customers/batch');
    edge.work.commands.length = 0;
    edge.work.run = async ({ reply }) => {
      reply.header('retry-after', '1');
      return { object: 'batch', failed: 1 };
    };
    expect((await ask()).status).toBe(200);
    edge.work.run = async () => ({ object: 'batch', failed: 0 });
    const again = await ask();
    expect([again.body['failed'], again.headers['idempotent-replayed']]).toEqual([0, undefined]);
    expect((await ask()).headers['idempotent-replayed']).toBe('true');
    expect([edge.work.commands.length, new Set(edge.work.commands).size]).toEqual([2, 1]);
  });

  test('Idempotency-Key has 1 to 255 visible ASCII characters and is ignored on other methods', async () => {
    const { call } = await edge.account();
    expect((await post(call, '!'.padEnd(255, '~'))).status).toBe(201);
    for (const key of ['', 'k'.repeat(256), 'a b', 'a\tb', 'k\u00e9y']) expect(code(await post(call, key))).toBe('400 invalid_request');
    expect((await call('GET', '/v1/customers', { headers: { 'idempotency-key': 'a b' } })).status).toBe(200);
  });
});
