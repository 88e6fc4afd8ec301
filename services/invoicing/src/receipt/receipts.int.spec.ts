import { DomainError } from '@svc/kernel';
import type { DocumentContext } from '../document/context.ts';
import { cancellation, outcomeEvent, registration, rejection } from '../document/testing/outcomes.ts';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import { checkVoidOwn, createReceipt, resubmitReceipt } from './write.ts';
import { receiptProcess } from './process.ts';
import { receipts } from './receipts.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
afterAll(() => {
  system.engine.close();
  folder.remove();
});

const { context } = system;
const body = { items: [{ description: 'Coffee', unit_price: 12 }], payment_method: 'cash' as const };
const DAY_MS = 86_400_000;
let accounts = 0;
/** A new account. */
function fixture() {
  const account = `acct_01jh2k3m4n5p6q7r8s9t0v2${String((accounts += 1)).padStart(3, '0')}`;
  const call = () => ({ context, identity: callerOf(system, account) });
  const create = (over: object = {}) => createReceipt(call(), { ...body, ...over });
  return { account, call, create, read: (id: string) => receipts.read(call(), id) };
}

const applyOutcome = (account: string, subject: string, name: string, data: object): Promise<unknown> =>
  receiptProcess.applyOutcome(context, outcomeEvent({ id: system.ids.next(), account, subject }, name, data));

test('is created with its number and version 1; every later event adds one', async () => {
  const s = fixture();
  const made = await s.create();
  expect(made).toMatchObject({
    status: 'issued',
    version: 1,
    number: expect.stringMatching(/^RCP-\d{4}-000001$/),
    total: 12,
    tax_total: 2,
  });
  expect(await s.read(made.id)).toEqual(made);
  await applyOutcome(s.account, made.id, 'document-registered', registration);
  expect(await s.read(made.id)).toMatchObject({ version: 2, fiscal_code: 'CODE-1', status: 'issued' });
  const voiding = await receiptProcess.void(s.call(), { id: made.id, ifMatch: ['2'], reason: 'wrong till' });
  expect(voiding).toMatchObject({ status: 'voiding', version: 3 });
  await applyOutcome(s.account, made.id, 'document-cancelled', cancellation);
  const gone = await s.read(made.id);
  expect(gone).toMatchObject({ status: 'voided', version: 4, fiscal: { status: 'cancelled' } });
  expect(await receiptProcess.void(s.call(), { id: made.id, ifMatch: undefined, reason: 'again' })).toEqual(gone);
  const history = await Array.fromAsync((await receipts.history(s.call(), made.id)).entries({ from: 0, to: 100 }, async () => undefined));
  expect(history.map(({ type, version }) => [version, type])).toEqual([
    [1, 'created'],
    [2, 'registered'],
    [3, 'void_requested'],
    [4, 'voided'],
  ]);
});

test('who may void none but its own of today voids none of another person, and none of yesterday where the issuer is', async () => {
  const s = fixture();
  const { id } = await s.create();
  const { identity } = s.call();
  const own = { ...identity, permissions: ['receipts:void_own' as never] };
  const at = (days: number) => ({ ...context, clock: { ...context.clock, now: () => context.clock.now() + days * DAY_MS } });
  await expect(checkVoidOwn({ context, identity: own }, id)).resolves.toBeUndefined();
  const others = { ...own, actor: { type: 'member' as const, id: 'mem_other' } };
  for (const call of [
    { context, identity: others },
    { context: at(1), identity: own },
  ])
    await expect(checkVoidOwn(call as never, id)).rejects.toMatchObject({ code: 'insufficient_permissions' });
  await expect(checkVoidOwn({ context: at(1), identity } as never, id)).resolves.toBeUndefined();
});

test('a stale If-Match changes nothing', async () => {
  const s = fixture();
  const { id } = await s.create();
  await expect(receiptProcess.void(s.call(), { id, ifMatch: ['2'], reason: 'wrong till' })).rejects.toMatchObject({
    code: 'version_conflict',
  });
  expect(await s.read(id)).toMatchObject({ version: 1, status: 'issued' });
});

test('forty concurrent receipts get one number each, without a gap', async () => {
  const s = fixture();
  const made = await Promise.all(Array.from({ length: 40 }, () => s.create()));
  expect(made.map(({ number }) => Number(number.slice(-6))).sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
});

test.each([1, 2])('that crashed after step %i is not found until any process finishes it; a repeated request returns it', async (step) => {
  const s = fixture();
  const { identity } = s.call();
  const sequence: DocumentContext['sequence'] = {
    head: (stream) => context.sequence.head(stream),
    async take(claim) {
      if (step === 2) await context.sequence.take(claim);
      throw new Error('the process is gone');
    },
  };
  await expect(createReceipt({ context: { ...context, sequence }, identity }, body)).rejects.toThrow('gone');
  const id = `rcp_${identity.commandId}`;
  await expect(s.read(id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(receiptProcess.void(s.call(), { id, ifMatch: undefined, reason: 'wrong till' })).rejects.toMatchObject({
    code: 'not_found',
  });
  await Promise.all([1, 2, 3].map(() => receiptProcess.finish(context, { account: s.account, env: 'test', id })));
  const finished = await s.read(id);
  expect(finished).toMatchObject({ version: 1, number: expect.stringMatching(/-000001$/) });
  expect(await createReceipt({ context, identity }, body)).toEqual(finished);
  expect((await s.create()).number).toMatch(/-000002$/);
});

test('a void request is kept while the outcome is open', async () => {
  const s = fixture();
  const [a, b] = [await s.create(), await s.create()];
  for (const { id } of [a, b])
    expect(await receiptProcess.void(s.call(), { id, ifMatch: undefined, reason: 'wrong till' })).toMatchObject({ status: 'voiding' });
  await applyOutcome(s.account, a.id, 'document-registered', registration);
  await applyOutcome(s.account, b.id, 'document-rejected', rejection('data'));
  expect(await s.read(a.id)).toMatchObject({ status: 'voiding', fiscal: { status: 'registered' } });
  expect(await s.read(b.id)).toMatchObject({ status: 'voided', fiscal: { status: 'rejected' }, void: { reason: 'wrong till' } });
});

test('resubmission is accepted after a rejection for setup, and rejected after one for data', async () => {
  const s = fixture();
  const [setup, data] = [await s.create(), await s.create()];
  await applyOutcome(s.account, setup.id, 'document-rejected', rejection('setup'));
  await applyOutcome(s.account, data.id, 'document-rejected', rejection('data'));
  const again = await resubmitReceipt(s.call(), { id: setup.id, ifMatch: undefined });
  expect(again).toMatchObject({ number: setup.number, fiscal: { status: 'pending', attempts: 1, error: null } });
  expect(await resubmitReceipt(s.call(), { id: setup.id, ifMatch: undefined })).toEqual(again);
  await applyOutcome(s.account, setup.id, 'document-registered', { ...registration, round: 2 });
  expect((await s.read(setup.id)).fiscal?.status).toBe('registered');
  await expect(resubmitReceipt(s.call(), { id: data.id, ifMatch: undefined })).rejects.toMatchObject({ code: 'invalid_state' });
});

test('for an unknown customer is rejected and uses no number', async () => {
  const s = fixture();
  const refused = await s.create({ customer_id: `cust_${'0'.repeat(26)}` }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(DomainError);
  expect((refused as DomainError).details).toHaveProperty('customer_id');
  expect((await s.create()).number).toMatch(/-000001$/);
});
