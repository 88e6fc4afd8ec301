import { customersView } from './customer/list.ts';
import { invoicesView } from './invoice/list.ts';
import type { Row, View } from './listing/view.ts';
import { receiptsView } from './receipt/list.ts';

/** The read models of this release. */
export const servedViews: readonly View<Row>[] = [invoicesView, receiptsView, customersView];
