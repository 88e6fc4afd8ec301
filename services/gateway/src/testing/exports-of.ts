import { settleTurns } from '@svc/kernel';
import type { Browser } from './browser.ts';
import type { EdgeApp } from './edge-app.ts';
import type { StubDocument } from './stub-documents.ts';
import { unzip } from './unzip.ts';

export const idOf = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(26, '0')}`;

/** An invoice of January 2026, of the days in turn. */
export const invoice = (n: number, over: Partial<StubDocument> = {}): StubDocument => ({
  ...{
    id: idOf('inv', n),
    number: `INV-2026-${n}`,
    type: 'standard',
    status: 'submitted',
    issue_date: `2026-01-${String((n % 28) + 1).padStart(2, '0')}`,
  },
  ...{ customer: { name: '=SUM(A1)', tax_id: null }, total: n },
  ...over,
});

/** 60 invoices and a receipt. */
export const january = (): { invoices: StubDocument[]; receipts: StubDocument[] } => ({
  invoices: Array.from({ length: 60 }, (_, n) => invoice(n)),
  receipts: [invoice(100, { id: idOf('rcp', 1), number: 'RCP-2026-1', type: 'receipt', status: 'issued' })],
});

const days = { from: '2026-01-01', to: '2026-01-31' };

/** Exports of January 2026 over HTTP. */
export function exportsOf(edge: () => EdgeApp) {
  const begin = (who: Browser, body: object = {}, livemode = false) =>
    who.call('POST', '/exports', { livemode, body: { kind: 'csv', ...days, ...body } });
  const read = async (who: Browser, id: unknown) => (await who.call('GET', `/exports/${String(id)}`, { livemode: false })).body;
  /** Moves the clock until it has ended. */
  async function ended(who: Browser, id: unknown) {
    for (let n = 0; n < 200; n += 1) {
      const job = await read(who, id);
      if (job['ended_at'] !== null) return job;
      await edge().clock.advance(1_000);
      await settleTurns(50);
    }
    throw new Error('it does not end');
  }
  const open = async (url: unknown) => {
    const { pathname } = new URL(String(url));
    const answer = await fetch(`http://127.0.0.1:${edge().port}${pathname}`);
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const exported = async (who: Browser, body: object = {}) => {
    const job = await ended(who, (await begin(who, body)).body['id']);
    return { job, files: unzip((await open(job['url'])).bytes) };
  };
  return { begin, read, ended, open, exported };
}
