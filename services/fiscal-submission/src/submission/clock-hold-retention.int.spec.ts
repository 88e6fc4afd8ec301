import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRetention, embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { FakeClock, iso, settleTurns } from '@svc/kernel';
import { clockHoldRetention } from './clock-hold-retention.ts';
import { type ClockHold, clockHoldIndexes } from './clock-holds.ts';

const DAY_MS = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'svc-clock-holds-'));
const engine = Engine.open(folder, { durable: false });
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

test('a hold goes a week after the refusal, and after the last look of a process whose clock differed', async () => {
  const clock = new FakeClock();
  const documents = embeddedDocumentStore(engine, 'svc_fiscal_submission');
  const holds = documents.collection<ClockHold>('clock_holds', { indexes: clockHoldIndexes });
  const made = (_id: string, lookedAfter: number): ClockHold => ({
    ...{ _id, version: 1, hold: `of ${_id}`, since: iso(clock.now()) },
    until: clock.now() + lookedAfter,
  });
  await holds.write([made('live al-cis', 30_000), made('test al-cis', 6 * DAY_MS)].map((insert) => ({ insert })));
  const kept = async (): Promise<string[]> => {
    const { start } = createRetention({ documents, clock, logger: { error: () => undefined }, of: [clockHoldRetention(holds)] });
    const running = start();
    await clock.advance(12 * 60_000, () => settleTurns(60));
    await running.stop();
    return (await Array.fromAsync(holds.find({}, { sort: { _id: 1 } }))).map(({ _id }) => _id);
  };

  await clock.advance(6.9 * DAY_MS);
  expect(await kept()).toEqual(['live al-cis', 'test al-cis']);
  await clock.advance(0.2 * DAY_MS);
  expect(await kept()).toEqual(['test al-cis']);
  await clock.advance(6 * DAY_MS);
  expect(await kept()).toEqual([]);
});
