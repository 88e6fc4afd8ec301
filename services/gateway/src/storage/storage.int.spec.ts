import { register } from '@svc/service';
import { settleTurns } from '@svc/kernel';
import { changeAccount } from '../accounts/change-account.ts';
import { type Answer, type Call, EdgeApp, ways } from '../testing/edge-app.ts';
import { code } from '../testing/call.ts';
import { made } from '../testing/stub-service.ts';

const MIB = 1024 * 1024;
const LIMITS = { plan: 1_000_000, burst: 100_000, submit: 100_000, receipts: 100_000, reports: 100_000, storage: 1_000 * MIB };

describe.each(ways)('storage, %s', (way) => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await EdgeApp.start({}, way);
  });
  beforeEach(() => {
    edge.work.run = made;
    edge.work.commands.length = 0;
  });
  afterAll(() => edge.stop());

  const used = ({ headers }: Answer): string | undefined => headers['x-storage-used'];
  /** An account that the gateway knows to have stored this part of its quota. */
  async function account(part: number) {
    const opened = await edge.account({ limits: LIMITS });
    await opened.call('GET', '/v1/account');
    edge.stored[opened.id] = part * LIMITS.storage;
    await edge.gateway.storage.refresh();
    return opened;
  }
  const create = (call: Call, key?: string): Promise<Answer> =>
    call('POST', '/v1/customers', { body: { name: 'Ana' }, headers: key ? { 'idempotency-key': key } : {} });
  const createMany = (call: Call): Promise<Answer> => call('POST', '/v1/customers/batch', { body: { requests: [{ name: 'Ana' }] } });
  const submit = (call: Call): Promise<Answer> => call('POST', '/v1/invoices/inv_1/submit');

  test.each([
    [0.5, undefined],
    [0.799, undefined],
    [0.8, '0.80'],
    [0.8399, '0.83'],
    [0.999, '0.99'],
    [1, '1.00'],
    [7, '1.00'],
  ])('of which %d is used, X-Storage-Used is %s', async (part, shown) => {
    const { call } = await account(part);
    const answers = [await call('GET', '/v1/account'), await call('GET', '/v1/nothing'), await create(call), await submit(call)];
    expect(answers.map(used)).toEqual(answers.map(() => shown));
  });

  test('that is used up refuses what creates, before it is done, and nothing else', async () => {
    const { call } = await account(1);
    expect([code(await create(call)), code(await createMany(call))]).toEqual(['422 storage_quota_exceeded', '422 storage_quota_exceeded']);
    expect(edge.work.commands).toEqual([]);
    const others = [
      await submit(call),
      await call('POST', '/v1/invoices/preview', { body: { customer_id: `cust_${'0'.repeat(26)}`, items: [{ unit_price: 1 }] } }),
      await call('GET', '/v1/customers'),
      await call('GET', '/v1/reports/sales'),
      await call('POST', '/v1/api-keys/rotate'),
    ];
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  test('counts for both environments, and of no other account', async () => {
    const { call, liveKey } = await account(1);
    const { call: other } = await account(0);
    const live = edge.caller(liveKey);
    expect([code(await create(call)), code(await create(live)), code(await create(other))]).toEqual([
      '422 storage_quota_exceeded',
      '422 storage_quota_exceeded',
      '201 ',
    ]);
  });

  test('a refusal is not kept: with more room the same request runs under its key; a kept answer is replayed without room', async () => {
    const { id, call } = await account(0);
    const before = await create(call, 'before');
    edge.stored[id] = LIMITS.storage;
    await edge.gateway.storage.refresh();
    expect(code(await create(call, 'refused'))).toBe('422 storage_quota_exceeded');
    const replayed = await create(call, 'before');
    expect([replayed.text, replayed.headers['idempotent-replayed']]).toEqual([before.text, 'true']);
    await changeAccount(
      edge.gateway.accounts,
      id,
      { limits: { ...LIMITS, storage: 2 * LIMITS.storage } },
      { actor: { type: 'system', id: 'test' } },
    );
    const again = await create(call, 'refused');
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  test('a change has a tenth more, 100 MiB at least', async () => {
    const owner = { account: 'acct_changes', limits: { storage: 10_000 * MIB } };
    const { storage } = edge.gateway;
    const room = async (part: number, of = owner) => {
      edge.stored[of.account] = part * of.limits.storage;
      storage.used(of);
      await storage.refresh();
      return [storage.hasCapacity(of, 'creation'), storage.hasCapacity(of, 'change')];
    };
    expect([await room(0.99), await room(1), await room(1.099), await room(1.1)]).toEqual([
      [true, true],
      [false, true],
      [false, true],
      [false, false],
    ]);
    const small = { account: 'acct_small', limits: { storage: MIB } };
    expect([await room(100, small), await room(101, small)]).toEqual([
      [false, true],
      [false, false],
    ]);
  });

  test('kept answers count', async () => {
    const { call } = await edge.account({ limits: { ...LIMITS, storage: 100_000 } });
    edge.work.run = async (request) => ({ ...(await made(request)), note: 'x'.repeat(60_000) });
    const [first, second] = [await create(call, 'first'), await create(call, 'second')];
    expect([used(first), used(second)]).toEqual([undefined, undefined]);
    await edge.gateway.storage.refresh();
    expect([used(await call('GET', '/v1/account')), code(await create(call))]).toEqual(['1.00', '422 storage_quota_exceeded']);
    expect(first.text.length + second.text.length).toBeGreaterThan(120_000);
  });

  test('is looked at again within 10 s, and stays as a service reported it while that one does not answer', async () => {
    const { id, call } = await account(0.5);
    edge.stored[id] = 0.9 * LIMITS.storage;
    await call('GET', '/v1/account');
    for (let second = 0; second < 8; second += 1) await edge.clock.advance(1_000, () => settleTurns(30));
    expect(used(await call('GET', '/v1/account'))).toBe('0.90');
    edge.isCounting = false;
    edge.delivered[id] = 0.05 * LIMITS.storage;
    await edge.gateway.storage.refresh();
    edge.isCounting = true;
    expect(used(await call('GET', '/v1/account'))).toBe('0.95');
  });

  test('the metric counts accounts and names none', async () => {
    for (const part of [0.5, 0.85, 0.9, 1.2]) await account(part);
    const metric = register.getSingleMetric('svc_storage_accounts');
    const { values = [] } = (await metric?.get()) ?? {};
    const of = (label: string) => values.find(({ labels }) => labels['used'] === label)?.value ?? 0;
    expect(values.every(({ labels }) => Object.keys(labels).join() === 'used')).toBe(true);
    expect([of('near') >= 2, of('full') >= 1, values.length]).toEqual([true, true, 2]);
  });
});

describe('what is kept without room', () => {
  test('are answers up to 4 KiB: a longer one runs again under its command', async () => {
    const edge = await EdgeApp.start();
    const { id, call } = await edge.account({ limits: LIMITS });
    await call('GET', '/v1/account');
    edge.stored[id] = LIMITS.storage;
    await edge.gateway.storage.refresh();
    const submit = (key: string) => call('POST', '/v1/invoices/inv_1/submit', { headers: { 'idempotency-key': key } });
    await submit('short');
    expect((await submit('short')).headers['idempotent-replayed']).toBe('true');
    edge.work.note = 'x'.repeat(5_000);
    const [first, again] = [await submit('long'), await submit('long')];
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, undefined]);
    const commandOf = ({ body }: Answer) => (body['identity'] as { commandId: string }).commandId;
    expect(commandOf(again)).toBe(commandOf(first));
    await edge.stop();
  });
});
