import type { Env } from '@svc/kernel';
import { SimulatorProcess } from '../testing/simulator-process.ts';
import { FiscalSystem } from '../testing/system.ts';
import { progressOf } from './progress.ts';
import { readSubmission } from './submissions.ts';

let simulator: SimulatorProcess;
let system: FiscalSystem;
beforeAll(async () => {
  simulator = await SimulatorProcess.start();
});
afterAll(() => simulator.stop());
beforeEach(() => {
  system = new FiscalSystem({ simulatorUrl: simulator.url, pace: 'live' });
});
afterEach(() => system.close());

async function read(id: string, over: { account?: string; env?: Env } = {}, on = system) {
  const { account, env } = { account: system.account, env: 'test' as const, ...over };
  const state = await readSubmission(on.fiscal.context.streams, env, account, id);
  return state.status === 'none' ? undefined : progressOf(state, await on.fiscal.context.rows.get(id));
}

/** A document that waits for its next attempt. */
async function waiting(): Promise<string> {
  const { document_id } = await system.submit({ simulate: 'unavailable:100' });
  await system.deferred(document_id);
  return document_id;
}

test('shows the attempts that are listed, when the last began and when the next is due', async () => {
  const id = await waiting();
  const attempts = await system.attempts(id);
  expect(await read(id)).toMatchObject({ attempts: attempts.length, last_attempt_at: attempts.at(-1)?.at });
  expect((await read(id))?.next_attempt_at).toMatch(/Z$/);
});

test('of a registered document no attempt is due', async () => {
  const { document_id } = await system.submit();
  await system.until(document_id, 'registered');
  expect(await read(document_id)).toMatchObject({ attempts: 1, next_attempt_at: null });
});

test('attempts beyond the stored ones are counted by the row, which says when the last began', async () => {
  const id = await waiting();
  const set = { beyond: 31, called_at: Date.UTC(2026, 0, 2), calling: false };
  for (;;) {
    const row = await system.row(id);
    if (!row) throw new Error('no row');
    if ((await system.fiscal.context.rows.claim({ _id: row._id, version: row.version }, { set })).length > 0) break;
  }
  expect(await read(id)).toMatchObject({ attempts: 231, last_attempt_at: '2026-01-02T00:00:00.000Z' });
});

test('another account or environment, and what was never submitted, has none', async () => {
  const id = await waiting();
  expect(await read(id, { account: 'acct_other' })).toBeUndefined();
  expect(await read(id, { env: 'live' })).toBeUndefined();
  expect(await read('inv_01hqx0000000000000000000aa')).toBeUndefined();
});

test('a replica shows the attempts of another', async () => {
  const other = new FiscalSystem({ simulatorUrl: simulator.url, sharing: system });
  const id = await waiting();
  expect(await read(id, {}, other)).toMatchObject({ attempts: (await system.attempts(id)).length });
  await other.fiscal.background.beforeApplicationShutdown();
});
