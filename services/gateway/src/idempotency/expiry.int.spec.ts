import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { FakeClock, settleTurns } from '@svc/kernel';
import { createLogger, newKeyRing, parseKeyRing } from '@svc/service';
import { removeIdle, startExpiry } from './expiry.ts';
import { idempotencyRows } from './row.ts';
import type { Claim } from './row.ts';
import { createIdempotencyStore } from './store.ts';
import { earlierProcess } from './testing/earlier-process.ts';

const HOUR_MS = 3_600_000;

let folder: string;
let engine: Engine;
let clock: FakeClock;
let rows: ReturnType<typeof idempotencyRows>;
let store: ReturnType<typeof createIdempotencyStore>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'expiry-'));
  engine = Engine.open(folder, { durable: false });
  clock = new FakeClock();
  rows = idempotencyRows(embeddedDocumentStore(engine, 'svc_gateway'));
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
async function expire(): Promise<void> {
  const expiry = startExpiry({ rows, clock, logger: createLogger({ level: 'silent', service: 'test' }) });
  await settleTurns();
  await expiry.stop();
}

test('a response is kept for 48 hours, then its row is removed', async () => {
  await keep(await run());
  await clock.advance(48 * HOUR_MS);
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
  const claim = await run();
  await clock.advance(30_000);
  await expire();
  expect((await begin()).kind).toBe('in_use');
  await keep(claim);
  await clock.advance(48 * HOUR_MS);
  await expire();
  expect((await begin()).kind).toBe('replay');
});

describe('an expired row is not removed', () => {
  test('while a request runs under its key', async () => {
    const claim = await run();
    await removeIdle(rows, [claim], clock.now());
    expect((await begin()).kind).toBe('in_use');
  });

  test('when a request took the key over since the row was read', async () => {
    await store.release(await run());
    const seen = await Array.fromAsync(rows.find({}));
    await run();
    await removeIdle(rows, seen, clock.now());
    expect((await begin()).kind).toBe('in_use');
  });
});
