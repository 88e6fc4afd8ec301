import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { alInvoice, alReceipt } from '../al-cis/testing/documents.ts';
import { at21, esInvoice, esReceipt } from '../es-verifactu/testing/documents.ts';
import { meInvoice, meReceipt, numberOf } from '../me-efi/testing/documents.ts';

/** The `seq`-th document of an issuer, issued then (ISO 8601): every third is a receipt. */
export type DocumentOf = (issued_at: string, seq: number) => Partial<RegistrationRequested>;

const digits = (count: number): string => String(Math.floor(Math.random() * 10 ** count)).padStart(count, '0');
const isReceipt = (seq: number): boolean => seq % 3 === 0;

/** Documents of a new issuer of each national authority, with numbers of the authority's form. */
export const issuers: Record<string, () => { tax_id: string; documentOf: DocumentOf }> = {
  'al-cis'() {
    const tax_id = `L${digits(8)}A`;
    return {
      tax_id,
      documentOf(issued_at, n) {
        // Receipts of a till have a count of their own.
        const seq = isReceipt(n) ? n / 3 : n - Math.floor(n / 3);
        const year = issued_at.slice(0, 4);
        const of = { issuer: { tax_id }, over: { issued_at, issue_date: issued_at.slice(0, 10), seq } };
        return isReceipt(n)
          ? alReceipt({ ...of, over: { ...of.over, number: `${seq}/${year}/cc123cc123` } })
          : alInvoice({ ...of, over: { ...of.over, number: `${seq}/${year}` } });
      },
    };
  },
  'me-efi'() {
    const tax_id = digits(8);
    return {
      tax_id,
      documentOf(issued_at, seq) {
        const over = { issued_at, issue_date: issued_at.slice(0, 10), seq, number: numberOf(seq, Number(issued_at.slice(0, 4))) };
        const asked = {
          issuer: { tax_id, authority: 'me-efi' as const },
          lines: [at21(100)],
          over: { ...over, authority: 'me-efi' as const },
        };
        return isReceipt(seq) ? meReceipt(asked) : meInvoice(asked);
      },
    };
  },
  'es-verifactu'() {
    const tax_id = `B${digits(8)}`;
    return {
      tax_id,
      documentOf(issued_at, seq) {
        const over = { issued_at, issue_date: issued_at.slice(0, 10), seq, authority: 'es-verifactu' as const };
        const asked = { issuer: { tax_id, authority: 'es-verifactu' as const }, lines: [at21(100)], over };
        return isReceipt(seq) ? esReceipt(asked, `RCP-${seq}`) : esInvoice(asked, `INV-${seq}`);
      },
    };
  },
};
