import { setImmediate } from 'node:timers/promises';
import { Readable } from 'node:stream';
import type { DocumentFileResource } from '@svc/contracts/document/file';
import { LINKS } from '@svc/contracts/document/link';
import type { ReportName } from '@svc/contracts/report/rows';
import { createCapacity, DomainError, nextTurn } from '@svc/kernel';
import { csvPieces, signedLinks, type SignedLinksOptions } from '@svc/service';
import type { ReportingContext } from '../../postings/context.ts';
import { newestParties } from '../../postings/party.ts';
import type { Renderer } from '@svc/document-files/renderer';
import { checkKnown } from '../known-at.ts';
import type { Question, Reading } from '../report.ts';
import { reportNamed } from '../served.ts';
import { pdfStatement } from '../statement/pdf-statement.ts';
import { statement } from '../statement/statement.ts';
import { linesOf } from './lines.ts';

/** Files that are made and sent at a time: each holds some of the rows of its report, and some of the documents that they cite. */
const OPEN = { perAccount: 2, inAll: 8 };

/** Begins the tokens of this service. */
export const FILES_PATH = `${LINKS}reporting.`;

/** The whole question. */
type Claims = [
  format: 'csv' | 'pdf',
  report: ReportName | 'statement',
  env: Question['env'],
  account: string,
  question: Omit<Question, 'account' | 'env'>,
];

/** Nest's injection token of the `Files`. */
export const FILES = Symbol('ReportFiles');

export interface OpenedFile {
  name: string;
  type: string;
  body: Readable;
}

interface FilesOptions {
  context: ReportingContext;
  secrets: SignedLinksOptions['secrets'];
  renderer: Pick<Renderer, 'render'>;
}

/** Files of reports: made anew whenever their link opens, of what was known when they were asked for. Nothing of them is stored. */
export function createFiles({ context, secrets, renderer }: FilesOptions) {
  const links = signedLinks<Claims>({ ...context, secrets }, { path: FILES_PATH, purpose: 'links of reports' });
  const capacity = createCapacity(OPEN);
  const textOf = async (reading: Reading): Promise<string> => JSON.stringify(await pdfStatement(reading));

  async function pdf(reading: Reading): Promise<OpenedFile> {
    const { bytes } = await renderer.render(reading.account, {
      make: 'statement',
      text: await textOf(reading),
      preceding: null,
      parties: null,
    });
    return {
      name: `statement-${reading.as_of}.pdf`,
      type: 'application/pdf',
      body: Readable.from([Buffer.from(bytes.buffer)]),
    };
  }

  return {
    linkTo: (report: ReportName | 'statement', { account, env, ...question }: Question): DocumentFileResource =>
      links.linkTo('csv', report, env, account, question),

    /** Of the statement of a customer, with the issuer and the customer as they are known now. Throws invalid_request where it has too many items. */
    async linkToPdf({ account, env, ...asked }: Question): Promise<DocumentFileResource> {
      const question = { ...asked, parties: await newestParties(context.parties, { account, env }, asked.customer ?? '') };
      await textOf({ ...question, env, account, ledger: context, turn: () => nextTurn(account) });
      return links.linkTo('pdf', 'statement', env, account, question);
    },

    /**
     * Throws not_found for a link that does not open, service_unavailable where the account has too many open and while postings are built,
     * invalid_request where it is too large.
     */
    async open(token: string): Promise<OpenedFile> {
      const [format, name, env, account, question] = links.opened(token);
      const { from, to, as_of } = question;
      const release = capacity.reserve(account, 1);
      if (!release)
        throw new DomainError('service_unavailable', 'Too many files are being sent. Open this link again in a moment.', undefined, 5);
      try {
        // The link may be of another replica, and this one may still build its postings.
        await checkKnown(context, { account, env, known_at: null });
        const reading = { ...question, env, account, ledger: context, turn: () => nextTurn(account) };
        if (format === 'pdf') {
          const file = await pdf(reading);
          release();
          return file;
        }
        const { columns, lines } = await linesOf(name === 'statement' ? statement : reportNamed(name), reading);
        const body = Readable.from(inTurns(csvPieces(columns, lines)), { highWaterMark: 1 });
        body.once('close', release);
        const days = name === 'statement' ? as_of : `${from}-${to}`;
        return { name: `${name}-${days}.csv`, type: 'text/csv; charset=utf-8; header=present', body };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

export type Files = ReturnType<typeof createFiles>;

async function* inTurns(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    yield piece;
    await setImmediate();
  }
}
