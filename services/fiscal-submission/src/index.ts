export { chainRoutes } from './after-restore/admin-routes.ts';
export { CHAINS, type ChainContext } from './after-restore/operators.ts';
export { ciphertexts } from './ciphertexts.ts';
export { collections } from './collections.ts';
export type { FiscalSubmissionAdapters } from './assemble.ts';
export { NotSent, type Http, type HttpRequest, type HttpResponse } from './sending/http.ts';
export { FiscalSubmissionModule } from './fiscal-submission.module.ts';
export { collaboratorOf } from './signing/collaborator.ts';
export { submissionProgress } from './submission/progress.ts';
