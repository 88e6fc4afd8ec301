import { internalKeys } from '@svc/service';
import { linkKeys } from '@svc/service/secrets/link-keys';
import { runService, ServiceConfig } from '@svc/service/process/index';
import { ReportingModule } from './reporting.module.ts';

await runService({
  name: 'reporting',
  about: 'Reports over invoices, receipts and customers.',
  config: ServiceConfig,
  database: 'svc_reporting',
  module: ({ config, ...dependencies }) =>
    ReportingModule.forRoot({
      ...dependencies,
      documents: dependencies.database('svc_reporting'),
      secrets: linkKeys(internalKeys(config.INTERNAL_KEYS), 'reporting'),
    }),
});
