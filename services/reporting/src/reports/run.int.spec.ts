import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { FakeClock, soon } from '@svc/kernel';
import type { ReportingContext } from '../postings/context.ts';
import { openLedger } from '../postings/ledger.ts';
import { recordEvents } from '../postings/record.ts';
import { ACCOUNT, invoiceEvent, registered } from '../testing/sample-documents.ts';
import { numbering } from './numbering/numbering.ts';
import { runReport } from './run.ts';

test('where nothing is open each number has its outcome, also where that comes while the report is read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-run-'));
  const engine = Engine.open(folder, { durable: false });
  const ledger = openLedger(embeddedDocumentStore(engine, 'svc_reporting'));
  const clock = new FakeClock(Date.UTC(2026, 0, 20));
  const record = (event: ReturnType<typeof invoiceEvent>) => recordEvents({ ...ledger, clock }, [event as never]);
  const pending = { fiscal: { ...registered, status: 'pending' as const } };
  await record(invoiceEvent(1, pending, { sequence: 1, entry: { type: 'numbered', numbered: { seq: 1, series_key: 'S' } } }));
  const context = { ...ledger, clock, progress: { isBuilt: async () => true } } as unknown as ReportingContext;
  const asked = { query: { page: 1, per_page: 20 }, identity: { account: ACCOUNT, env: 'test', livemode: false }, turn: soon };
  const answer = () => runReport(context, asked as never, { ...numbering, run });
  /** The registration comes while the report is being read. */
  const run: typeof numbering.run = async (reading) => {
    const found = await numbering.run(reading);
    await record(invoiceEvent(1, {}, { sequence: 2, entry: { type: 'registered' } }));
    return found;
  };
  const first = await answer();
  expect([first.head.open.documents, first.rows[0]?.fields()['fate']]).toEqual([1, 'pending']);
  const second = await answer();
  expect([second.head.open.documents, second.rows[0]?.fields()['fate']]).toEqual([0, 'registered']);
  engine.close();
  rmSync(folder, { recursive: true });
});
