/** The document store's server gives no answer: nothing was read. A later repetition may succeed. */
export class DocumentStoreUnavailable extends Error {
  override readonly name = 'DocumentStoreUnavailable';
  readonly statusCode = 503;
}
