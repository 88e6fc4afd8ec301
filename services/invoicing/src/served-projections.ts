import type { Row, Projection } from '@svc/event-store';
import { customersProjection } from './customer/list.ts';
import { documentTypes } from './document-types.ts';

/** The read models of this release. */
export const servedProjections: readonly Projection<Row>[] = [
  ...Object.values(documentTypes).map(({ projection }) => projection),
  customersProjection,
];
