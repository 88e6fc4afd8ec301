import { openEventStoreDb } from '@svc/event-store/eventstoredb/open';
import { parseKeyRing, storedBytesRoute } from '@svc/service';
import { runService } from '@svc/service/process/index';
import { lackingForTests } from '@svc/service/process/test-connections';
import { ciphertexts } from './ciphertexts.ts';
import { InvoicingConfig } from './config.ts';
import { encryptedStore } from './encrypted-store.ts';
import { InvoicingModule } from './invoicing.module.ts';
import { published } from './registrations.ts';
import { seriesRoutes } from './numbering/admin-routes.ts';
import { SERIES, type SeriesContext } from './numbering/series-numbers.ts';
import { documentRoutes } from './publishing/admin-routes.ts';
import { storedBytesOf, storedBytesRows } from './storage/stored-bytes.ts';

await runService({
  name: 'invoicing',
  about: 'Invoices, receipts, customers, issuer and their numbers.',
  config: InvoicingConfig,
  database: 'svc_invoicing',
  // More at once only wait longer for the event store, and others behind them.
  writes: { perAccount: 8, inAll: 32 },
  ciphertexts,
  publishes: published,
  openStore: ({ config, clock, logger }) => openEventStoreDb({ url: config.EVENT_STORE_URL, namespace: config.NAMESPACE, clock, logger }),
  module: ({ config, ...dependencies }) => {
    const documents = dependencies.database('svc_invoicing');
    const secrets = parseKeyRing(config.SECRETS_KEY);
    const store = encryptedStore({ ...dependencies, documents, secrets });
    return InvoicingModule.forRoot({
      ...dependencies,
      documents,
      store,
      secrets,
      clockWitnesses: config.CLOCK_WITNESSES,
      deployment: config,
      lackingForTests: lackingForTests(config),
    });
  },
  hooks: {
    operators:
      (app, { config, bus }) =>
      async (ops) => {
        await seriesRoutes(app.get<SeriesContext>(SERIES), config.OPS_TOKEN)(ops);
        await documentRoutes(app.get<SeriesContext>(SERIES), bus, config.OPS_TOKEN)(ops);
      },
    internal: ({ database }) => [storedBytesRoute(storedBytesOf(storedBytesRows(database('svc_invoicing'))))],
  },
});
