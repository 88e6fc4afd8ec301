export { ReportingModule } from './reporting.module.ts';
