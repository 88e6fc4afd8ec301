import type { DocumentKind } from '../submission/domain/facts.ts';

/** Data of `invoicing.registration-requested.v1`: the whole legal document, with everything that is frozen with it. */
export interface RegistrationRequested {
  document_id: string;
  kind: DocumentKind;
  round: number;
  authority: string;
  number: string;
  seq: number;
  series: string;
  issued_at: string;
  issue_date: string;
  document: LegalDocument;
  issuer: { tax_id: string | null; legal_name: string | null };
  customer: Party | null;
  simulate: string | null;
  late_reason: string | null;
}

/** Data of `invoicing.cancellation-requested.v1`. */
export interface CancellationRequested {
  document_id: string;
  kind: DocumentKind;
  authority: string;
  number: string;
  reason: string;
  requested_at: string;
  simulate: string | null;
}

interface Party {
  name?: string | null;
  tax_id?: string | null;
  address?: { country?: string | null } | null;
}

/** What a record needs of an invoice or a receipt. Amounts are JSON numbers, read exactly. */
export interface LegalDocument {
  type?: string;
  currency: string;
  corrects?: string | null;
  items: { description?: string | null; quantity: number; unit?: string | null; unit_price: number; amount: number }[];
  tax_breakdown: { category: string; code: string; rate: number; retained: boolean; base: number; amount: number }[];
  subtotal: number;
  tax_total: number;
  total: number;
}
