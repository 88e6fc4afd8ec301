import type { Row, Projection } from '@svc/event-store';
import { customersProjection } from './customer/list.ts';
import { invoicesProjection } from './invoice/list.ts';
import { receiptsProjection } from './receipt/list.ts';

/** The read models of this release. */
export const servedProjections: readonly Projection<Row>[] = [invoicesProjection, receiptsProjection, customersProjection];
