/** The server that keeps the documents gives no answer: nothing was read. Repeating later may succeed. */
export class DocumentStoreUnavailable extends Error {
  override readonly name = 'DocumentStoreUnavailable';
  readonly statusCode = 503;
}
