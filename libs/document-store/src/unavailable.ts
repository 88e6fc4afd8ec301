/** The document store's server gives no answer: nothing was read. A later repetition may succeed. */
export class DocumentStoreUnavailable extends Error {
  override readonly name = 'DocumentStoreUnavailable';
  readonly statusCode = 503;

  /** @param retryAfter in seconds */
  constructor(
    message: string,
    readonly retryAfter = 1,
  ) {
    super(message);
  }
}
