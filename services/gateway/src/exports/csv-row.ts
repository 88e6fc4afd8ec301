/** Columns of the CSV of documents, in their order. Amounts are those of the document: of a credit note they are positive. */
export const csvColumns = [
  ...['id', 'type', 'number', 'status', 'issue_date', 'due_date', 'customer_id', 'customer_name', 'customer_tax_id', 'currency'],
  ...['subtotal', 'discount_total', 'charge_total', 'tax_total', 'retained_total', 'total', 'amount_paid', 'amount_credited', 'amount_due'],
  ...['payment_status', 'fiscal_status', 'fiscal_code', 'corrects', 'created_at'],
] as const;

interface Shown extends Record<string, unknown> {
  customer?: { name?: unknown; tax_id?: unknown } | null;
  fiscal?: { status?: unknown } | null;
}

/** The cells of a document, as the interface shows it. */
export const csvFields = (document: Shown): Record<string, unknown> => ({
  ...document,
  customer_name: document.customer?.name,
  customer_tax_id: document.customer?.tax_id,
  fiscal_status: document.fiscal?.status,
});
