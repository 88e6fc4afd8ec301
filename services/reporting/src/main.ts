import { topics } from '@svc/contracts/events/envelope';
import { internalKeys } from '@svc/service';
import { linkKeys } from '@svc/service/secrets/link-keys';
import { runService, ServiceConfig } from '@svc/service/process/index';
import { createProgress } from './postings/progress.ts';
import { ReportingModule } from './reporting.module.ts';

await runService({
  name: 'reporting',
  about: 'Reports over invoices, receipts and customers.',
  config: ServiceConfig,
  database: 'svc_reporting',
  publishes: [topics.setting],
  module: ({ config, ...dependencies }) => {
    const { health, bus, clock } = dependencies;
    // While it builds postings anew it would answer 503: replicas of the release before serve until it is ready.
    const progress = createProgress(bus, clock);
    health.register(
      'postings',
      async () =>
        (await progress.isBuilt()) ||
        'are built from what was published before this process began, and wait for invoicing to say that the history is whole',
    );
    health.needOnce('postings');
    return ReportingModule.forRoot({
      ...dependencies,
      documents: dependencies.database('svc_reporting'),
      secrets: linkKeys(internalKeys(config.INTERNAL_KEYS), 'reporting'),
    });
  },
});
