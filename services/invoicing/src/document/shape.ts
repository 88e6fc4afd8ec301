import type * as shown from '@svc/contracts/document/fiscal';
import type { DocumentKind } from '@svc/contracts/documents';
import { linesShape, totalsShape } from '@svc/totals/shape';
import type { Fiscal } from './domain/fiscal.ts';
import { deadlineOf, nextStepOf, type Underway } from './domain/next-operation.ts';
import type { DocumentContent, NumberedDocument, VoidRequest, Written } from './domain/state.ts';

/** What callers wrote and what was calculated of it, of any document. Money and percents are JSON numbers. */
export const writtenShape = ({ livemode, created_at, updated_at, content, totals }: Written<DocumentContent> & { updated_at: string }) => ({
  livemode,
  ...linesShape(content, totals),
  currency: content.currency,
  prices_include_tax: content.prices_include_tax,
  rounding: content.rounding,
  series: content.series,
  notes: content.notes,
  ...totalsShape(totals),
  metadata: content.metadata,
  created_at,
  updated_at,
});

type Numbered<Customer> = Pick<NumberedDocument<unknown, Customer>, 'parties' | 'issue' | 'fiscal' | 'status' | 'updated_at'> & {
  late_reason?: string | null;
  reversal?: true | undefined;
};

/** What any document has with its number. */
export const numberedShape = <Customer>(kind: DocumentKind, { reversal, ...state }: Numbered<Customer>, available: readonly string[]) => ({
  ...state.parties,
  number: state.issue.number,
  issued_at: state.issue.issued_at,
  fiscal_code: state.fiscal.code,
  fiscal: fiscalShape(kind, { ...state, isReversal: reversal === true, available } as Underway),
});

/** Its registration, with what follows from it. */
function fiscalShape(kind: DocumentKind, document: Underway): shown.Fiscal {
  const [deadline_at, next] = [deadlineOf(document), nextStepOf(kind, document)];
  return { ...document.fiscal, ...(deadline_at !== undefined && { deadline_at }), ...(next && { next }) };
}

/** `document_id`: the corrective, where the authority annuls nothing; there is none before the document is registered. */
export const voidShape = ({ reason, requested_at, voided_at, refused, document }: VoidRequest, fiscal: Fiscal | null) => ({
  reason,
  requested_at,
  voided_at,
  document_id: fiscal?.status === 'registered' ? (document ?? null) : null,
  error: refused && { code: refused.code, message: refused.message },
});
