export { collections } from './collections.ts';
export { ReportingModule } from './reporting.module.ts';
