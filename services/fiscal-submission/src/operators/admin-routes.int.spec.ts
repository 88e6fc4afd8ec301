import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { SettingChange } from '@svc/contracts/audit/setting-changed';
import { createLogger, Health, startOps, type Ops } from '@svc/service';
import { admin } from '@svc/service/admin/run-admin';
import { systemClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { SimulatorProcess } from '../testing/simulator-process.ts';
import { FiscalSystem } from '../testing/system.ts';
import { submissionCommands } from './admin-commands.ts';
import { submissionRoutes } from './admin-routes.ts';
import { wakeWaiting } from './waiting.ts';

const TOKEN = 'operators-token-of-thirty-two-characters';
let simulator: SimulatorProcess;
let system: FiscalSystem;
let ops: Ops;
let id: string;
beforeAll(async () => {
  simulator = await SimulatorProcess.start();
  system = new FiscalSystem({ simulatorUrl: simulator.url });
  const { context, worker, noteAction: note } = system.fiscal;
  const logger = createLogger({ level: 'silent', service: 'test' });
  const routes = submissionRoutes({ context, worker, note }, TOKEN);
  ops = await startOps({ host: '127.0.0.1', port: 0, health: new Health(), logger, admin: routes });
  process.env['OPS_PORT'] = String(ops.port);
  process.env['OPS_TOKEN'] = TOKEN;
  const request = await system.submit({ simulate: 'duplicate_foreign' });
  id = request.document_id;
  await system.until(id, 'needs_review');
  await settled();
});
afterAll(async () => {
  delete process.env['OPS_TOKEN'];
  await ops.close();
  await system.close();
  await simulator.stop();
});

/** Until nothing is left to do of the document. */
async function settled(): Promise<void> {
  for (let n = 0; (await system.row(id))?.due_at !== null && n < 500; n += 1) await systemClock.sleep(10);
}

const svc = (...words: string[]) => admin(submissionCommands, ['admin', 'submissions', ...words]);
/** What the audit has got of operators. */
const audited = () =>
  (system.direct as PublicEvent<SettingChange>[]).flatMap(({ subject, data }) =>
    data.actor?.type === 'operator' ? [{ subject, data }] : [],
  );
const reviews = () => svc('list', '--authority', 'sandbox', '--waits-for', 'review', '--livemode', 'false');

test('/admin/submissions needs the operators’ token, and says what is wrong with a request', async () => {
  const url = `http://127.0.0.1:${ops.port}/admin/submissions`;
  expect((await fetch(`${url}?authority=sandbox`)).status).toBe(401);
  const headers = { authorization: `Bearer ${TOKEN}` };
  for (const query of ['?authority=%24ne', '?authority=sandbox&waits_for=all', '?authority=sandbox&authority=x'])
    expect([query, (await fetch(`${url}${query}`, { headers })).status]).toEqual([query, 422]);
  await expect(svc('resolve', '--id', id, '--outcome', 'registered', '--note', 'seen')).rejects.toThrow('--code: Send the fiscal code');
  for (const command of ['list', 'retry'])
    await expect(svc(command, '--authority', 'al-cys')).rejects.toThrow(/^--authority: al-cys is not served here: .*sandbox/m);
  await expect(svc('resolve', '--id', 'inv_typo', '--outcome', 'not_registered', '--note', 'seen')).rejects.toThrow();
  await expect(svc('wake', '--id', 'inv_typo')).rejects.toThrow();
});

test('an operator lists what waits for a review, wakes it in vain, and resolves it', async () => {
  const before = (await reviews()) as { data: { waits_since: string }[] };
  expect(before).toEqual({
    data: [
      expect.objectContaining({ document_id: id, account: system.account, authority: 'sandbox', livemode: false, next_attempt_at: null }),
    ],
    total: 1,
  });
  expect(await svc('list', '--waits-for', 'review', '--livemode', 'false')).toEqual(before);
  expect(await svc('list', '--authority', 'sandbox')).toEqual({ data: [], total: 0 });
  expect(await svc('list')).toEqual({ data: [], total: 0 });
  await svc('wake', '--id', id);
  await settled();
  // It has waited since then, not since it was woken.
  expect(await reviews()).toEqual(before);
  expect(await svc('resolve', '--id', id, '--outcome', 'registered', '--code', 'BY-HAND', '--note', 'seen in the portal')).toEqual({
    ...{ document_id: id, account: system.account, status: 'registered' },
  });
  const { data } = await system.publishedEvent('fiscal.document-registered.v1', id);
  expect(data).toMatchObject({ code: 'BY-HAND' });
  await settled();
  expect(await reviews()).toEqual({ data: [], total: 0 });
  await expect(svc('resolve', '--id', id, '--outcome', 'not_registered', '--note', 'no')).rejects.toThrow();
});

test('one that is over and is still counted as waiting is counted no more once it is woken', async () => {
  const row = await system.row(id);
  await system.fiscal.context.rows.claim({ _id: id, version: row?.version ?? 0 }, { set: { waits_for: 'review', waits_since: 1 } });
  expect(await reviews()).toMatchObject({ total: 1 });
  await svc('wake', '--id', id);
  await settled();
  expect(await reviews()).toEqual({ data: [], total: 0 });
});

test('what an operator has tried again is in the audit of its account', async () => {
  const none = ['--authority', 'sandbox', '--livemode', 'false', '--account', 'acct_other'];
  expect(await svc('retry', ...none)).toEqual({ retried: 0, more: false });
  const { version = 0 } = (await system.row(id)) ?? {};
  const hence = Date.now() + 3_600_000;
  await system.fiscal.context.rows.claim({ _id: id, version }, { set: { waits_for: 'authority', waits_since: 1, due_at: hence } });
  expect(await svc('retry', '--authority', 'sandbox', '--livemode', 'false')).toEqual({ retried: 1, more: false });
  await settled();
  await svc('wake', '--id', id);
  const of = (action: string) => audited().filter(({ data }) => data.action === action);
  await until(() => of('submissions.retried').length > 0 && of('invoice.retried').length > 2);
  expect(of('submissions.retried')).toMatchObject([
    { subject: system.account, data: { target: { type: 'submissions', id: null, name: 'sandbox' } } },
  ]);
  expect(of('invoice.retried').at(-1)).toMatchObject({ subject: system.account, data: { target: { type: 'invoice', id }, changes: {} } });
  await settled();
});

test('nothing is done without an entry in the audit: a document is not woken whose call ends meanwhile', async () => {
  const { context, worker, noteAction: note } = system.fiscal;
  const before = await system.row(id);
  let reads = 0;
  // A call is under way when it is read first.
  const get = async (_id: string) => {
    const row = await context.rows.get(_id);
    return row && { ...row, calling: (reads += 1) === 1 };
  };
  const rows: typeof context.rows = Object.assign(Object.create(context.rows) as typeof context.rows, { get });
  await expect(wakeWaiting({ context: { ...context, rows }, worker, note }, id)).rejects.toMatchObject({ code: 'invalid_state' });
  expect(await system.row(id)).toEqual(before);
});
