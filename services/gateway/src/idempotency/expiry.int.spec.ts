import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocuments } from '@svc/documents';
import { Engine } from '@svc/embedded';
import { FakeClock, settleTurns } from '@svc/kernel';
import { createLogger, newKeyRing, parseKeyRing } from '@svc/service-kit';
import { startExpiry } from './expiry.ts';
import { idempotencyRows } from './row.ts';
import { createIdempotencyStore } from './store.ts';

const HOUR_MS = 3_600_000;

test('an answer is kept for 48 hours, then its row is removed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'expiry-'));
  const engine = Engine.open(folder, { durable: false });
  const clock = new FakeClock();
  const rows = idempotencyRows(embeddedDocuments(engine, 'svc_gateway'));
  const store = createIdempotencyStore({ rows, clock, secrets: parseKeyRing(newKeyRing()) });
  const logger = createLogger({ level: 'silent', service: 'test' });
  const begin = () => store.begin({ scope: 'test.acct_1', key: 'k', fingerprint: 'f', command: 'c' });

  const begun = await begin();
  if (begun.kind !== 'run') throw new Error(begun.kind);
  await store.keep(begun.claim, { status: 201, headers: {}, body: '{}' }, { subject: null, secret: 'none' });

  await clock.advance(48 * HOUR_MS);
  const early = startExpiry({ rows, clock, logger });
  await settleTurns();
  await early.stop();
  expect((await begin()).kind).toBe('replay');

  await clock.advance(HOUR_MS);
  const late = startExpiry({ rows, clock, logger });
  await settleTurns();
  await late.stop();
  expect(await rows.count({})).toBe(0);
  expect((await begin()).kind).toBe('run');

  engine.close();
  rmSync(folder, { recursive: true });
});
