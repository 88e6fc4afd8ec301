import { topics } from '@svc/contracts/events/envelope';
import { openEventStoreDb } from '@svc/event-store/eventstoredb/open';
import { parseKeyRing } from '@svc/service';
import { runService } from '@svc/service/process/index';
import { InvoicingConfig } from './config.ts';
import { InvoicingModule } from './invoicing.module.ts';

await runService({
  name: 'invoicing',
  about: 'Invoices, receipts, customers, issuer and their numbers.',
  config: InvoicingConfig,
  database: 'svc_invoicing',
  publishes: [topics.invoice, topics.receipt, topics.customer, topics.registration],
  openStore: ({ config, clock, logger }) => openEventStoreDb({ url: config.EVENT_STORE_URL, namespace: config.NAMESPACE, clock, logger }),
  module: ({ config, ...dependencies }) =>
    InvoicingModule.forRoot({
      ...dependencies,
      documents: dependencies.database('svc_invoicing'),
      secrets: parseKeyRing(config.SECRETS_KEY),
    }),
});
