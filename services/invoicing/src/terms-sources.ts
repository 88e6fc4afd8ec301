import type { Projection, Row } from '@svc/event-store';
import { customersProjection } from './customer/list.ts';
import { customerTerms } from './customer/terms.ts';
import type { CustomerState } from './customer/domain/state.ts';
import { isNumbered, type DocumentContent, type Written } from './document/domain/state.ts';
import { documentTerms } from './document/terms.ts';
import { invoicesProjection } from './invoice/invoices.ts';
import { productsProjection } from './product/list.ts';
import { productTerms } from './product/terms.ts';
import type { ProductState } from './product/domain/state.ts';
import { receiptsProjection } from './receipt/receipts.ts';
import type { TermsSource } from './terms/fold-terms.ts';
import type { Terms, TermsKind } from './terms/terms.ts';

const source = (projection: unknown, termsOf: (state: object) => Terms | undefined): TermsSource => ({
  projection: projection as Projection<Row>,
  termsOf,
});

/** Of which events the terms of each kind are made. Callers see a receipt once it has its number. */
export const termsSources: Record<TermsKind, TermsSource> = {
  invoice: source(invoicesProjection, (state) => documentTerms('invoice', state as Written<DocumentContent>)),
  receipt: source(receiptsProjection, (state) => (isNumbered(state) ? documentTerms('receipt', state) : undefined)),
  customer: source(customersProjection, (state) => customerTerms(state as CustomerState)),
  product: source(productsProjection, (state) => productTerms(state as ProductState)),
};
