import { linesShape, totalsShape } from '@svc/totals/shape';
import type { Fiscal } from './domain/fiscal.ts';
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

/** What any document has with its number. */
export const numberedShape = <Customer>({
  parties,
  issue,
  fiscal,
}: Pick<NumberedDocument<unknown, Customer>, 'parties' | 'issue' | 'fiscal'>) => ({
  ...parties,
  number: issue.number,
  issued_at: issue.issued_at,
  fiscal_code: fiscal.code,
  fiscal,
});

/** `document_id`: the corrective, where the authority annuls nothing; there is none before the document is registered. */
export const voidShape = ({ reason, requested_at, voided_at, refused, document }: VoidRequest, fiscal: Fiscal | null) => ({
  reason,
  requested_at,
  voided_at,
  document_id: fiscal?.status === 'registered' ? (document ?? null) : null,
  error: refused && { code: refused.code, message: refused.message },
});
