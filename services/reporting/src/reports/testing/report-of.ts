import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { soon } from '@svc/kernel';
import { openLedger } from '../../postings/ledger.ts';
import type { Posting } from '../../postings/posting.ts';
import type { RaisedRow } from '../../postings/raised-numbers.ts';
import { ACCOUNT } from '../../testing/sample-documents.ts';
import { cite } from '../citations.ts';
import type { Question, Reading, Report } from '../report.ts';

const plain = (values: object): Record<string, unknown> => JSON.parse(JSON.stringify(values)) as Record<string, unknown>;

const question: Question = {
  ...{ account: ACCOUNT, env: 'test', from: '2000-01-01', to: '2099-12-31', as_of: '2099-12-31', known_at: null, kind: 'all' },
  ...{ grouping: undefined, cites: true },
};

/** The rows and totals of a report over stored postings, and raises of series. */
export async function reportOf(
  report: Report,
  postings: readonly Posting[],
  asked: Partial<Question & Pick<Reading, 'page'>> = {},
  raised: readonly RaisedRow[] = [],
) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-report-'));
  const engine = Engine.open(folder, { durable: false });
  try {
    const ledger = openLedger(embeddedDocumentStore(engine, 'svc_reporting'));
    await ledger.postings.write(postings.map((insert) => ({ insert })));
    await ledger.raised.write(raised.map((insert) => ({ insert })));
    const reading = { ...question, ...asked, ledger, turn: soon };
    const { rows, totals, certificate } = await report.run(reading);
    await cite(report, reading, rows);
    return {
      rows: rows.map((row) => plain(row.fields())),
      cited: rows.map(({ references }) => references.map(plain)),
      totals: totals.map(plain),
      certificate,
    };
  } finally {
    engine.close();
    rmSync(folder, { recursive: true });
  }
}
