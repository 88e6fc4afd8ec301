/** The server that keeps the documents gives no answer: nothing was read. Repeating later may succeed. */
export class DocumentsUnavailable extends Error {
  override readonly name = 'DocumentsUnavailable';
  readonly statusCode = 503;
}
