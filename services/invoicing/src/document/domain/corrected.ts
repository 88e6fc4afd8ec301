import type { NumberedDocument } from './state.ts';

/** What a document corrects, as it was registered: authorities want more of it than its id. */
export interface CorrectedDocument {
  number: string;
  issue_date: string;
  issued_at: string;
  issuer_code: string | null;
  fiscal_code: string | null;
}

/** It is registered, so none of this changes any more. */
export function correctedOf({ issue, content, fiscal }: NumberedDocument): CorrectedDocument {
  const { number, issued_at } = issue;
  const issue_date = issue.issue_date ?? content.issue_date ?? issued_at.slice(0, 10);
  return { number, issue_date, issued_at, issuer_code: fiscal.issuer_code, fiscal_code: fiscal.code };
}
