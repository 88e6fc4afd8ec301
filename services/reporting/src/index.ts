export { ReportingModule, type ReportingAdapters } from './reporting.module.ts';
