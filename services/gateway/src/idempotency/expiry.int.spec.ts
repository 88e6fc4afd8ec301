import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRetention, embeddedDocumentStore, type DocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { FakeClock } from '@svc/kernel';
import { createLogger, newKeyRing, parseKeyRing } from '@svc/service';
import { expiredKeys } from './expiry.ts';
import { idempotencyRows } from './row.ts';
import type { Claim } from './row.ts';
import { createIdempotencyStore } from './store.ts';
import { earlierProcess } from './testing/earlier-process.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let folder: string;
let engine: Engine;
let clock: FakeClock;
let documents: DocumentStore;
let rows: ReturnType<typeof idempotencyRows>;
let store: ReturnType<typeof createIdempotencyStore>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'expiry-'));
  engine = Engine.open(folder, { durable: false });
  clock = new FakeClock();
  documents = embeddedDocumentStore(engine, 'svc_gateway');
  rows = idempotencyRows(documents);
  store = createIdempotencyStore({ rows, clock, secrets: parseKeyRing(newKeyRing()), processes: earlierProcess });
});
afterEach(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const begin = () => store.begin({ scope: 'test.acct_1', key: 'k', fingerprint: 'f', command: 'c' });
async function run(): Promise<Claim> {
  const begun = await begin();
  if (begun.kind !== 'run') throw new Error(begun.kind);
  return begun.claim;
}
const keep = (claim: Claim) =>
  store.keep(claim, { status: 201, headers: {}, body: '{}' }, { account: 'acct_1', subject: null, secret: 'none' });
/** One pass. */
async function expire(from = rows): Promise<void> {
  const logger = createLogger({ level: 'silent', service: 'test' });
  const expiry = createRetention({ documents, clock, logger, of: [expiredKeys(from)] }).start();
  await clock.advance(11 * MINUTE_MS);
  await expiry.stop();
}

test('a response is kept for 48 hours, then its row is removed', async () => {
  await keep(await run());
  await clock.advance(48 * HOUR_MS - 11 * MINUTE_MS);
  await expire();
  expect((await begin()).kind).toBe('replay');

  await clock.advance(HOUR_MS);
  await expire();
  expect(await rows.count({})).toBe(0);
  expect((await begin()).kind).toBe('run');
});

test('the response of a request that took a key over at its end is kept for 48 hours too', async () => {
  await store.release(await run());
  await clock.advance(48 * HOUR_MS);
  await keep(await run());
  await clock.advance(48 * HOUR_MS - 11 * MINUTE_MS);
  await expire();
  expect((await begin()).kind).toBe('replay');
});

describe('an expired row is not removed', () => {
  test('while a request runs under its key', async () => {
    const { _id, version } = await run();
    await clock.advance(49 * HOUR_MS);
    await rows.claim({ _id, version }, { set: { until: clock.now() + HOUR_MS } });
    await expire();
    expect((await begin()).kind).toBe('in_use');
  });

  test('when a request took the key over since the row was read', async () => {
    await store.release(await run());
    await clock.advance(49 * HOUR_MS);
    const page: typeof rows.page = async (...asked) => {
      const found = await rows.page(...asked);
      await begin();
      return found;
    };
    await expire({ ...rows, page });
    expect(await rows.count({})).toBe(1);
  });
});
