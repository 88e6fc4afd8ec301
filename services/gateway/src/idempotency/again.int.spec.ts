import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { FakeClock, JsonText } from '@svc/kernel';
import { newKeyRing, parseKeyRing } from '@svc/service';
import { idempotencyRows, rowId, type AnsweredAgain } from './row.ts';
import { createIdempotencyStore, type Begun } from './store.ts';
import { earlierProcess } from './testing/earlier-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'again-'));
const engine = Engine.open(folder, { durable: false });
const clock = new FakeClock();
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

/** Commands whose events are stored. */
const made = new Set<string>();
let databases = 0;

function opened({ hasEvents = true }: { hasEvents?: boolean } = {}) {
  databases += 1;
  const rows = idempotencyRows(embeddedDocumentStore(engine, `db${databases}`, { hasEvents }));
  const store = createIdempotencyStore({
    ...{ rows, clock, secrets: parseKeyRing(newKeyRing()), processes: earlierProcess },
    answerAgain: async ({ route, account, env, command, answeredFrom }) =>
      made.has(command) ? new JsonText(`{"made":"${route} ${env} ${account} ${command} ${answeredFrom}"}`, 1) : undefined,
  });
  const again = (): AnsweredAgain => ({ from: 'v7', amounts: true });
  const begin = (over: object = {}): Promise<Begun> =>
    store.begin({
      scope: 'live.acct_1',
      key: 'k',
      fingerprint: 'f',
      command: 'c1',
      route: 'POST /invoices',
      appends: true,
      again,
      ...over,
    });
  const claimOf = (begun: Begun) => {
    if (begun.kind !== 'run') throw new Error(`${begun.kind} instead of a claim`);
    return begun.claim;
  };
  const append = (command: string, work = (): void => undefined) => engine.write(work, command).then(() => void made.add(command));
  const keep = async (begun: Begun, status = 201) => {
    if (store.isComplete(claimOf(begun), status)) return;
    await store.keep(claimOf(begun), { status, headers: {}, body: 'itself' }, { account: 'acct_1', subject: null, secret: 'none' });
  };
  return { store, rows, begin, claimOf, append, keep, row: () => rows.get(rowId('live.acct_1', 'k')) };
}
beforeEach(() => made.clear());

const headers = { 'content-type': 'application/json; charset=utf-8', etag: '"1"' };
const answer = { status: 201, headers, body: '{"made":"POST /invoices live acct_1 c1 v7"}', form: { amounts: true } };
const itself = { kind: 'replay', answer: { status: 201, headers: {}, body: 'itself' } };

test('its row is complete in the commit of the events and not written again', async () => {
  const { begin, append, keep, row } = opened();
  const begun = await begin();
  expect(await begin({ command: 'c2' })).toEqual({ kind: 'in_use' });
  const before = engine.counters.writes;
  await append('c1');
  expect(await begin({ command: 'c2' })).toEqual({ kind: 'replay', answer }); // also before the first request is answered
  await keep(begun);
  expect(engine.counters.writes - before).toBe(1);
  expect(await row()).toMatchObject({ version: 1, until: 0, answer: null, again: { from: 'v7', amounts: true } });
  expect(await begin({ command: 'c2' })).toEqual({ kind: 'replay', answer });
  expect(await begin({ fingerprint: 'g' })).toEqual({ kind: 'reused' });
});

test('where the events are not there a repeat runs under the same command, and its response is kept itself', async () => {
  const { begin, append, keep } = opened();
  await begin();
  await append('c1');
  made.clear();
  const [one, other] = await Promise.all([begin({ command: 'c2' }), begin({ command: 'c3' })]);
  const [run, taken] = one.kind === 'run' ? [one, other] : [other, one];
  expect([run, taken.kind]).toEqual([expect.objectContaining({ claim: expect.objectContaining({ command: 'c1' }) }), 'in_use']);
  await keep(run);
  made.add('c1');
  expect(await begin()).toEqual(itself);
});

test('a write of the events that fails answers nothing; the next one does', async () => {
  const { begin, append } = opened();
  await begin();
  const fails = append('c1', () => {
    throw new Error('conflict');
  });
  await expect(fails).rejects.toThrow('conflict');
  expect(await begin({ command: 'c2' })).toEqual({ kind: 'in_use' });
  await append('c1');
  expect(await begin()).toEqual({ kind: 'replay', answer });
});

test('a temporary error after the events releases the key: a repeat runs under the same command', async () => {
  const { begin, append, store, claimOf } = opened();
  const begun = await begin();
  await append('c1');
  await store.release(claimOf(begun));
  expect(await begin({ command: 'c2' })).toMatchObject({ kind: 'run', claim: { command: 'c1' } });
});

test.each<[string, { hasEvents?: boolean }, object, number]>([
  ['the store has no commit with the events', { hasEvents: false }, {}, 201],
  ['the service does not say how', {}, { again: () => undefined }, 201],
  ['something else than 201 is answered', {}, {}, 202],
])('the response itself is kept where %s', async (_, options, over, status) => {
  const { begin, append, keep } = opened(options);
  const begun = await begin(over);
  await append('c1');
  await keep(begun, status);
  expect(await begin()).toMatchObject({ kind: 'replay', answer: { status, body: 'itself' } });
});
