export type { FiscalSubmissionAdapters } from './assemble.ts';
export { NotSent, type Http, type HttpRequest, type HttpResponse } from './authorities/http.ts';
export { paces, type Pace } from './pace.ts';
export { FiscalSubmissionModule } from './fiscal-submission.module.ts';
