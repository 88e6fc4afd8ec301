import { createKey } from '../keys/create-key.ts';
import { type Answer, type Call, code } from '../testing/call.ts';
import { EdgeApp, ways } from '../testing/edge-app.ts';
import { rowId } from './row.ts';

const actor = { type: 'system', id: 'test' } as const;

describe.each(ways)('the rotation of an API key, whose Idempotency-Keys are its own, %s', (way) => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await EdgeApp.start({}, way);
  });
  afterAll(() => edge.stop());

  const rotate = (call: Call): Promise<Answer> => call('POST', '/v1/api-keys/rotate', { body: {}, headers: { 'idempotency-key': 'k' } });
  const create = (call: Call): Promise<Answer> =>
    call('POST', '/v1/customers', { body: { name: 'Ana' }, headers: { 'idempotency-key': 'k' } });
  async function newKey() {
    const { id: account } = await edge.account();
    const made = await createKey(
      edge.gateway.accounts,
      { account, env: 'test', name: 'x', permissions: ['*'], expiresAt: null },
      { actor },
    );
    return { account, call: edge.caller(made.value) };
  }

  test('another request under the key of a rotation runs once', async () => {
    const key = await newKey();
    const call = edge.caller(String((await rotate(key.call)).body['key']));
    const made = await create(call);
    expect(code(made)).toBe('201 ');
    const again = await create(call);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([made.text, 'true']);
    expect((await rotate(call)).headers['idempotent-replayed']).toBe('true');
  });

  test('a rotation under the key of another request runs once', async () => {
    const key = await newKey();
    await create(key.call);
    const first = await rotate(key.call);
    expect([code(first), (await rotate(key.call)).text]).toEqual(['200 ', first.text]);
  });

  // until 0.3: 0.1.0 stores such a row with each rotation
  test('another request under the key of a rotation at 0.1.0 runs once', async () => {
    const key = await newKey();
    const now = edge.clock.now();
    const row = { fingerprint: 'of the rotation', command: '01jh2k3m4n5p6q7r8s9t0v1w2x', subject: null, answer: null, guard: true };
    const until = now + 48 * 3_600_000;
    await edge.gateway.idempotencyRows.write([
      { put: { ...row, _id: rowId(`test.${key.account}`, 'k'), version: 1, until, due_at: until } },
    ]);
    const made = await create(key.call);
    expect([code(made), (await create(key.call)).text]).toEqual(['201 ', made.text]);
  });
});
