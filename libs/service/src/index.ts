export { JsonStream } from './answers/json-stream.ts';
export { type AnswerLimits } from './answers/answer-limits.ts';
export { SIGNS_HEADER, useSigns } from './answers/use-signs.ts';
export { backgroundProvider, createBackground, type Background, type BackgroundWork, type RunningWork } from './background/background.ts';
export { createStoredBytes, storedBytesIn, storedBytesRoute, type StoredBytesCount } from './storage/stored-bytes.ts';
export { clockSetBack } from './background/clock-set-back.ts';
export { jobsWork, projectionWork, repeatedWork, subscriptionWork } from './background/work.ts';
export { answerBatch, createEach, type ItemContext } from './batches/answer-batch.ts';
export { inOrder } from './batches/answer-batch.ts';
export * from './boot/create-app.ts';
export * from './routing/fastify-of.ts';
export * from './boot/malformed.ts';
export * from './boot/request.ts';
export * from './config/describe-config.ts';
export * from './config/load-config.ts';
export * from './config/rules.ts';
export * from './config/server-rules.ts';
export { Setting } from './config/setting.ts';
export * from './errors/answer.ts';
export * from './errors/payload.ts';
export * from './errors/error-filter.ts';
export * from './errors/request-id.ts';
export * from './errors/status.ts';
export * from './errors/log-denied.ts';
export * from './errors/to-domain-error.ts';
export { csvCell, csvLine } from './files/csv.ts';
export { CSV_END, csvHead, csvPieces } from './files/csv-file.ts';
export { cutUnread } from './files/cut-unread.ts';
export { fileHeaders, signedLinks, type SignedLinksOptions } from './files/signed-links.ts';
export * from './health/health.ts';
export * from './health/only-bearer.ts';
export * from './health/operator-tokens.ts';
export * from './health/ops.ts';
export * from './identity/identity.ts';
export * from './identity/identity-token.ts';
export * from './identity/internal-keys.ts';
export * from './identity/internal-routes.ts';
export * from './identity/use-internal-identity.ts';
export { changeOfEvent } from './settings/change-of-event.ts';
export { createdRange } from './lists/created-range.ts';
export * from './lists/history-page.ts';
export * from './lists/list-envelope.ts';
export * from './lists/list-items.ts';
export * from './lists/list-page.ts';
export { listProjection, type ListProjectionOptions } from './lists/list-projection.ts';
export { oneOf, oneOfEach } from './lists/one-of.ts';
export * from './lists/preconditions.ts';
export * from './logging/logger.ts';
export type { ErrorLog } from './error-log/error-log.ts';
export type { RequestInfo } from './error-log/use-error-log.ts';
export { createQueryCheck, permissionError, permits, reading, validatedBody } from './routing/checks.ts';
export * from './routing/serves.ts';
export * from './secrets/key-ring.ts';
export * from './secrets/service-key-ring.ts';
export * from './shutdown/drain-http.ts';
export * from './shutdown/shutdown.ts';
export * from './telemetry/metrics.ts';
export {
  answeredWith,
  beginServerSpan,
  clientAttributes,
  contextOf,
  currentTraceparent,
  givenTraceparent,
  inSpan,
  traceparentOf,
} from './telemetry/spans.ts';
export * from './telemetry/telemetry.ts';
export * from './settings/audited.ts';
export * from './settings/publish-changes.ts';
export * from './settings/operator-actions.ts';
