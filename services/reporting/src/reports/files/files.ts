import { setImmediate } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { createCapacity, DomainError, nextTurn } from '@svc/kernel';
import type { Ledger } from '../../postings/context.ts';
import { reportNamed } from '../served.ts';
import { csvPieces } from './csv-file.ts';
import type { Links } from './links.ts';

/** Files that are made and sent at a time: each holds the rows of its report. */
const OPEN = { perAccount: 2, inAll: 8 };

/** Nest's injection token of the `Files`. */
export const FILES = Symbol('ReportFiles');

export interface OpenedFile {
  name: string;
  type: string;
  body: Readable;
}

/** Files of reports: made anew whenever their link opens, of what was known when they were asked for. Nothing of them is stored. */
export function createFiles({ ledger, links }: { ledger: Pick<Ledger, 'postings' | 'known'>; links: Pick<Links, 'opened'> }) {
  const capacity = createCapacity(OPEN);

  return {
    /** Throws not_found for a link that does not open, service_unavailable where the account has too many open, invalid_request where it is too large. */
    async open(token: string): Promise<OpenedFile> {
      const { report: name, question } = links.opened(token);
      const { account, from, to, grouping, cites } = question;
      const release = capacity.reserve(account, 1);
      if (!release)
        throw new DomainError('service_unavailable', 'Too many files are being sent. Open this link again in a moment.', undefined, 5);
      try {
        const report = reportNamed(name);
        const result = await report.run({ ...question, ledger, turn: () => nextTurn(account) });
        const body = Readable.from(
          inTurns(csvPieces(result, report.columns(grouping), cites && report.columns(grouping).cited.length > 0)),
          { highWaterMark: 1 },
        );
        body.once('close', release);
        return { name: `${name}-${from}-${to}.csv`, type: 'text/csv; charset=utf-8; header=present', body };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

export type Files = ReturnType<typeof createFiles>;

async function* inTurns(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
    await setImmediate();
  }
}
