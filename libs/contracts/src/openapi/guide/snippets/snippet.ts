/** Code of one language, in parts: all of them, one after the other, are a file. */
export interface Snippet {
  before: string;
  /** Verifies `X-Service-Signature`. */
  service: string;
  /** Verifies `webhook-signature`, and that the delivery was sent within five minutes. */
  standard: string;
  after: string;
}
