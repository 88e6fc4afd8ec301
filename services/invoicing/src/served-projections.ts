import type { Row, Projection } from '@svc/event-store';
import { customersProjection } from './customer/list.ts';
import { documentTypes } from './document-types.ts';
import { productsProjection } from './product/list.ts';

/** The read models of this release. */
export const servedProjections: readonly Projection<Row>[] = [
  ...Object.values(documentTypes).map(({ projection }) => projection),
  customersProjection,
  productsProjection,
];
