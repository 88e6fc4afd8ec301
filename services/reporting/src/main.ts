import { runService, ServiceConfig } from '@svc/service/process/index';
import { ReportingModule } from './reporting.module.ts';

await runService({
  name: 'reporting',
  about: 'Reports over invoices, receipts and customers.',
  config: ServiceConfig,
  database: 'svc_reporting',
  module: (ground) => ReportingModule.forRoot({ ...ground, documents: ground.database('svc_reporting') }),
});
