import { topics } from '@svc/contracts/events/envelope';
import { openEventStoreDb } from '@svc/event-store/eventstoredb/open';
import { parseKeyRing, storedBytesIn, storedBytesRoute } from '@svc/service';
import { NO_SIMULATOR } from '@svc/service/process/config';
import { runService } from '@svc/service/process/index';
import { originsOf } from './connection-settings.ts';
import { ciphertexts } from './ciphertexts.ts';
import { FiscalSubmissionConfig } from './config.ts';
import { collaboratorOf } from './signing/collaborator.ts';
import { chainRoutes } from './after-restore/admin-routes.ts';
import { CHAINS, type ChainContext } from './after-restore/operators.ts';
import { submissionRoutes } from './operators/admin-routes.ts';
import { SUBMISSIONS, type SubmissionContext } from './operators/waiting.ts';
import { FiscalSubmissionModule } from './fiscal-submission.module.ts';

await runService({
  name: 'fiscal-submission',
  about: 'Registers documents with tax authorities.',
  config: FiscalSubmissionConfig,
  database: 'svc_fiscal_submission',
  ciphertexts,
  publishes: [topics.fiscalRegistration, topics.setting],
  openStore: ({ config, clock, logger }) => openEventStoreDb({ url: config.EVENT_STORE_URL, namespace: config.NAMESPACE, clock, logger }),
  module: async ({ config, ...dependencies }) =>
    FiscalSubmissionModule.forRoot({
      ...dependencies,
      documents: dependencies.database('svc_fiscal_submission'),
      ring: parseKeyRing(config.SECRETS_KEY),
      simulatorUrl: config.SIMULATOR_URL === NO_SIMULATOR ? undefined : config.SIMULATOR_URL,
      ...originsOf(config),
      deployment: config,
      collaborator: await collaboratorOf(config),
      pace: config.AUTHORITY_PACE,
      wireLogKeepDays: config.WIRE_LOG_KEEP_DAYS,
    }),
  hooks: {
    internal: ({ database, clock }) => [storedBytesRoute(storedBytesIn(database('svc_fiscal_submission'), clock))],
    operators:
      (app, { config: { OPS_TOKEN } }) =>
      async (ops) => {
        await chainRoutes(app.get<ChainContext>(CHAINS), OPS_TOKEN)(ops);
        await submissionRoutes(app.get<SubmissionContext>(SUBMISSIONS), OPS_TOKEN)(ops);
      },
  },
});
