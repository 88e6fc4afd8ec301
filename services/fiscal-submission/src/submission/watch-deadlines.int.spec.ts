import type { PublicEvent } from '@svc/contracts/events/envelope';
import { parseEvent } from '@svc/contracts/testing/parse';
import { iso, systemClock } from '@svc/kernel';
import { chainedAuthority, chainedLedger } from '../authorities/testing/chained-authority.ts';
import { FiscalSystem, ids } from '../testing/system.ts';
import { resolveSubmission } from './resolve.ts';
import { type DeadlineNotice, lookThrough, noticeIndexes } from './watch-deadlines.ts';

const HOUR_MS = 3_600_000;
const logger = { error: () => undefined } as never;

/** Documents whose authority is away, taken until `ends`, and what a look publishes. */
function open(ends: number, over: Partial<ReturnType<typeof chainedAuthority>> = {}) {
  const isThere = Promise.withResolvers<void>();
  const ledger = chainedLedger();
  const system = new FiscalSystem({
    simulatorUrl: 'http://127.0.0.1:1',
    authorities: new Map([['chained', { ...chainedAuthority(), deadline: () => iso(ends), ...over }]]),
    http: (request) => isThere.promise.then(() => ledger.http(request)),
  });
  const { rows } = system.fiscal.context;
  const notices = system.documents.collection<DeadlineNotice>('deadline_notices', { indexes: noticeIndexes });
  const look = async (now = systemClock.now()): Promise<PublicEvent[]> => {
    const published: PublicEvent[] = [];
    const bus = { publish: async (_topic: string, events: PublicEvent[]) => void published.push(...events) };
    expect(await lookThrough({ rows, notices, authorities: new Set(['chained']), bus, clock: { now: () => now }, logger })).toBe(true);
    return published.map((event) => parseEvent(JSON.stringify(event)));
  };
  return { system, rows, notices, look, isThere };
}

test('a document that its authority takes for less than twelve hours is published once', async () => {
  const ends = systemClock.now() + 20 * HOUR_MS;
  const { system, look, isThere } = open(ends);
  const { document_id } = await system.submit({ authority: 'chained' });
  expect(await look()).toEqual([]);
  const soon = ends - 11 * HOUR_MS;
  expect(await look(soon)).toMatchObject([
    {
      type: 'fiscal.document-deadline-near.v1',
      subject: document_id,
      account: system.account,
      data: { document_id, kind: 'invoice', authority: 'chained', deadline_at: iso(ends) },
    },
  ]);
  expect(await look(soon + HOUR_MS)).toEqual([]);
  isThere.resolve();
  await system.until(document_id, 'registered');
  await system.close();
});

test('a look whose process ends before it has noted that publishes the same event again', async () => {
  const ends = systemClock.now() + 6 * HOUR_MS;
  const { system, notices, look, isThere } = open(ends);
  const { document_id } = await system.submit({ authority: 'chained' });
  const [first] = await look();
  await notices.write([{ delete: document_id }]);
  const [second] = await look();
  expect(second?.id).toBe(first?.id);
  isThere.resolve();
  await system.until(document_id, 'registered');
  await system.close();
});

test('one that waits for a person is published, until its doubt is ended', async () => {
  const ends = systemClock.now() + 6 * HOUR_MS;
  const foreign = { kind: 'foreign', error: { code: 'other', message: 'another record', fixable: 'setup' } } as const;
  const { system, rows, notices, look, isThere } = open(ends, { read: () => foreign });
  isThere.resolve();
  const { document_id: id } = await system.submit({ authority: 'chained' });
  await system.until(id, 'needs_review');
  while ((await rows.get(id))?.waits_for !== 'review') await systemClock.sleep(10);
  // The service may have looked before.
  await notices.write([{ delete: id }]);
  expect(await look()).toMatchObject([{ subject: id }]);
  const identity = {
    account: system.account,
    env: 'test',
    commandId: ids.next(),
    requestId: 'req_1',
    actor: { type: 'api_key', id: 'key_1' },
  };
  const resolution = { outcome: 'registered', code: 'BY-HAND', note: 'seen there' } as const;
  const row = await resolveSubmission(system.fiscal.context, identity as never, { id, resolution });
  if (row) system.fiscal.worker.take([row]);
  while ((await rows.get(id))?.deadline_at) await systemClock.sleep(10);
  await notices.write([{ delete: id }]);
  expect(await look()).toEqual([]);
  await system.close();
});

test('what is registered, or over, is not published', async () => {
  const ends = systemClock.now() + 6 * HOUR_MS;
  const { system, rows, look, isThere } = open(ends);
  const { document_id } = await system.submit({ authority: 'chained' });
  expect(await look(ends + 1)).toEqual([]);
  isThere.resolve();
  await system.until(document_id, 'registered');
  for (let n = 0; n < 200 && (await rows.get(document_id))?.deadline_at; n += 1) await systemClock.sleep(10);
  expect(await look()).toEqual([]);
  await system.close();
});
