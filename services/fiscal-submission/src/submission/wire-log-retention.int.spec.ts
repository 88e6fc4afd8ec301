import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRetention, embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { createIds, FakeClock, iso, settleTurns, toUuid } from '@svc/kernel';
import { register } from 'prom-client';
import type { Message } from './authority.ts';
import { keepReceived, keepSent, type WireEntry } from './wire-log.ts';
import { WIRE_LOG_KEPT_DAYS, wireLogRetention } from './wire-log-retention.ts';

const DAY = 86_400_000;

const folder = mkdtempSync(join(tmpdir(), 'svc-wire-log-'));
const engine = Engine.open(folder, { durable: false });
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

test('the bytes of submissions go after the days that are set, by default ten years, and the metrics say how many there are', async () => {
  const clock = new FakeClock();
  const ids = createIds(clock);
  const documents = embeddedDocumentStore(engine, 'svc_fiscal_submission');
  const wireLog = documents.collection<WireEntry>('wire_log', { texts: ['bytes'] });
  const submit = async (): Promise<string> => {
    const message = { id: toUuid(ids.next()), method: 'POST', url: 'https://authority.example', body: '<record/>'.repeat(50) } as Message;
    const of = { document_id: 'inv_1', message, at: iso(clock.now()) };
    await keepSent(wireLog, of);
    await keepReceived(wireLog, of, { status: 200 }, Buffer.from('<accepted/>'));
    return message.id;
  };
  const kept = async (days: number): Promise<string[]> => {
    const of = [wireLogRetention(wireLog, days)];
    const running = createRetention({ documents, clock, logger: { error: () => undefined }, of }).start();
    await clock.advance(12 * 60_000, () => settleTurns(60));
    shown = await register.getSingleMetricAsString('svc_retained_documents');
    await running.stop();
    return (await Array.fromAsync(wireLog.find({}, { sort: { _id: 1 } }))).map(({ _id }) => _id);
  };
  let shown = '';
  const both = (id: string): string[] => [`${id}.received`, `${id}.sent`];

  const first = await submit();
  await clock.advance(9.99 * 365 * DAY);
  const second = await submit();
  expect(await kept(WIRE_LOG_KEPT_DAYS)).toEqual([...both(first), ...both(second)]);
  expect(shown).toContain('svc_retained_documents{collection="wire_log"} 4');
  await clock.advance(5 * DAY);
  expect(await kept(WIRE_LOG_KEPT_DAYS)).toEqual(both(second));
  expect(shown).toContain('svc_retained_documents{collection="wire_log"} 2');
  expect(await kept(6)).toEqual(both(second));
  expect(await kept(5)).toEqual([]);
});
