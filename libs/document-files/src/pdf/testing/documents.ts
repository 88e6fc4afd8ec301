import { documentOf, line, vat, type Given } from '../../ubl/testing/documents.ts';
import type { PdfInvoice, PdfReceipt } from '../document.ts';

const fiscal = {
  ...{
    authority: 'sandbox',
    status: 'registered',
    code: '8f1c5c1e-5d5b-4f0e-9d0e-2f6f3f0b9a11',
    issuer_code: 'A1B2C3D4E5F60718293A4B5C6D7E8F90',
  },
  verification_url:
    'https://verify.example/einvoice?iin=A1B2C3D4E5F60718293A4B5C6D7E8F90&tin=B58378431&crtd=2026-11-20T23:30:00Z&prc=121.00',
} as PdfInvoice['fiscal'];

/** An issued invoice for a customer with this language. */
export const invoiceOf = (given: Given = {}, language: string | null = 'en'): PdfInvoice => {
  const { customer, ...document } = documentOf(given);
  return { ...document, fiscal, customer: customer && { ...customer, language } };
};

export const longInvoice = (lines: number, given: Given = {}): PdfInvoice =>
  invoiceOf({
    items: Array.from({ length: lines }, (_, n) =>
      line(1 + n / 100, [vat(n % 2 ? 21 : 10)], { description: `Article ${n + 1} of the catalogue` }),
    ),
    ...given,
  });

export const receiptOf = (given: Given = {}, over: Partial<PdfReceipt> = {}): PdfReceipt => {
  const invoice = invoiceOf({ prices_include_tax: true, ...given });
  return {
    ...invoice,
    ...{ id: 'rcp_1', object: 'receipt', status: 'issued', number: 'RCP-2026-000042', customer_id: null, customer: null },
    ...{
      issue_date: '2026-11-21',
      issued_at: '2026-11-20T23:30:00.000Z',
      payment_method: 'cash',
      payments: [{ method: 'cash', amount: invoice.total }],
    },
    ...{ unit: 'SHOP1', device: 'TILL1', operator: 'OP1' },
    ...over,
  } as unknown as PdfReceipt;
};
