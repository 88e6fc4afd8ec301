import { createKey } from '../accounts/create-key.ts';
import { rotateKey } from '../accounts/rotate-key.ts';
import { type Answer, type Call, code } from '../testing/call.ts';
import { EdgeApp, ring, ways } from '../testing/edge-app.ts';
import { fingerprint, rowId, type IdempotencyRow } from './row.ts';

const ROTATE = '/v1/api-keys/rotate';
const actor = { type: 'system', id: 'test' } as const;

describe.each(ways)('rotation beside and after the previous release, which stores it without the API key, %s', (way) => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await EdgeApp.start({}, way);
  });
  afterAll(() => edge.stop());

  const rotate = (call: Call, key = 'k'): Promise<Answer> => call('POST', ROTATE, { body: {}, headers: { 'idempotency-key': key } });
  const opens = async (value: string): Promise<boolean> => (await edge.caller(value)('GET', '/v1/account')).status !== 401;

  interface Made {
    account: string;
    id: string;
    value: string;
    call: Call;
  }
  async function newKey(account: string): Promise<Made> {
    const made = await createKey(edge.gateway.accounts, { account, env: 'test', name: 'x', permissions: ['*'], expiresAt: null }, actor);
    return { account, id: made.key._id, value: made.value, call: edge.caller(made.value) };
  }
  const newAccountsKey = async (): Promise<Made> => newKey((await edge.account()).id);
  const stored = async ({ id }: Made) => (await edge.gateway.accounts.store.keys.get(id)) ?? Promise.reject(new Error('no such key'));

  /** Rotates like the previous release, which does not require the current value. */
  const rotatedBefore = async (key: Made, command: string) =>
    rotateKey(edge.gateway.accounts, { id: key.id, credentialHash: (await stored(key)).current, command, graceSeconds: 86_400, actor });

  /** The previous release's row of a rotation under the key `k`. */
  async function rowBefore({ account }: Made, command: string, more: Partial<IdempotencyRow>): Promise<IdempotencyRow> {
    const row: IdempotencyRow = {
      _id: rowId(`test.${account}`, 'k'),
      version: 1,
      fingerprint: fingerprint({ method: 'POST', path: '/api-keys/rotate', query: '', body: Buffer.from('{}') }),
      command,
      until: 0,
      subject: null,
      answer: null,
      due_at: edge.clock.now() + 48 * 3_600_000,
      ...more,
    };
    await edge.gateway.idempotencyRows.write([{ put: row }]);
    return row;
  }
  const answerBefore = (value: string): IdempotencyRow['answer'] => ({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: ring.encrypt(JSON.stringify({ id: 'key_1', key: value })),
    sealed: true,
  });
  /** A repeat at a replica of the previous release. */
  const atOldReplica = ({ account }: Made) =>
    edge.gateway.idempotency.begin({
      scope: `test.${account}`,
      key: 'k',
      fingerprint: fingerprint({ method: 'POST', path: '/api-keys/rotate', query: '', body: Buffer.from('{}') }),
      command: 'another',
    });

  test('the previous value gets its lost response, repeatedly, and nothing rotates again', async () => {
    const key = await newAccountsKey();
    const { value } = await rotatedBefore(key, 'c1');
    await rowBefore(key, 'c1', { version: 2, answer: answerBefore(value) });
    const after = await stored(key);
    for (let n = 0; n < 2; n += 1) {
      const again = await rotate(key.call);
      expect([code(again), again.body['key'], again.headers['idempotent-replayed']]).toEqual(['200 ', value, 'true']);
    }
    expect(await stored(key)).toEqual(after);
  });

  test('another key of the account does not get its response but rotates itself', async () => {
    const key = await newAccountsKey();
    const { value } = await rotatedBefore(key, 'c1');
    await rowBefore(key, 'c1', { version: 2, answer: answerBefore(value) });
    const other = await newKey(key.account);
    const answer = await rotate(other.call);
    expect([code(answer), answer.body['id'], answer.headers['idempotent-replayed']]).toEqual(['200 ', other.id, undefined]);
    expect(answer.text).not.toContain(value);
    expect((await rotate(key.call)).body['key']).toBe(value);
  });

  test('when it rotated and ended before it answered, the repeat continues the command and keeps the grace period', async () => {
    const key = await newAccountsKey();
    await rotatedBefore(key, 'c1');
    await rowBefore(key, 'c1', { until: edge.clock.now() + 60_000 });
    const after = await stored(key);
    expect(code(await rotate(key.call))).toBe('409 idempotency_key_in_use');
    await edge.clock.advance(60_000);
    const again = await rotate(key.call);
    expect([code(again), again.body['id']]).toEqual(['200 ', key.id]);
    const { rotated_by, previous, previous_until } = await stored(key);
    expect({ rotated_by, previous, previous_until }).toEqual({
      rotated_by: 'c1',
      previous: after.previous,
      previous_until: after.previous_until,
    });
    expect([await opens(key.value), await opens(String(again.body['key']))]).toEqual([true, true]);
    expect((await rotate(key.call)).text).toBe(again.text);
  });

  test('while one of its replicas runs it, the repeat is 409, and later gets its response', async () => {
    const key = await newAccountsKey();
    const row = await rowBefore(key, 'c1', { until: edge.clock.now() + 60_000 });
    expect(code(await rotate(key.call))).toBe('409 idempotency_key_in_use');
    const { value } = await rotatedBefore(key, 'c1');
    await edge.gateway.idempotencyRows.write([{ put: { ...row, version: 2, until: 0, answer: answerBefore(value) } }]);
    expect((await rotate(key.call)).body['key']).toBe(value);
    expect((await stored(key)).rotated_by).toBe('c1');
  });

  test('a rotation that it began and did not finish is done here', async () => {
    const key = await newAccountsKey();
    await rowBefore(key, 'c1', {});
    const first = await rotate(key.call);
    expect([code(first), await opens(key.value)]).toEqual(['200 ', true]);
    expect((await rotate(key.call)).text).toBe(first.text);
  });

  test('its replicas neither repeat a rotation of this release nor read its response', async () => {
    const key = await newAccountsKey();
    const first = await rotate(key.call);
    expect(await atOldReplica(key)).toEqual({ kind: 'in_use' });
    await edge.clock.advance(120_000); // longer than a lease
    expect(await atOldReplica(key)).toEqual({ kind: 'in_use' });
    expect((await rotate(edge.caller(String(first.body['key'])))).text).toBe(first.text);
  });

  test('another request under the key of a rotation runs once', async () => {
    const key = await newAccountsKey();
    const value = String((await rotate(key.call)).body['key']);
    const create = (): Promise<Answer> =>
      edge.caller(value)('POST', '/v1/customers', { body: { name: 'Ana' }, headers: { 'idempotency-key': 'k' } });
    const made = await create();
    expect(code(made)).toBe('201 ');
    const again = await create();
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([made.text, 'true']);
    expect((await rotate(edge.caller(value))).headers['idempotent-replayed']).toBe('true');
  });

  test('a rotation under the key of another request runs once', async () => {
    const key = await newAccountsKey();
    await key.call('POST', '/v1/customers', { body: { name: 'Ana' }, headers: { 'idempotency-key': 'k' } });
    const first = await rotate(key.call);
    expect([code(first), (await rotate(key.call)).text]).toEqual(['200 ', first.text]);
  });
});
