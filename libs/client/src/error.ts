/**
 * Why a delivery is refused. `secret_malformed` and `body_parsed` are faults of the receiver's own program, as is a `header_missing` that a proxy has dropped; the
 * others say that the request is not what the service sent just now.
 */
export type WebhookErrorCode =
  | 'secret_malformed'
  | 'body_parsed'
  | 'header_missing'
  | 'header_malformed'
  | 'timestamp_old'
  | 'timestamp_new'
  | 'signature_wrong'
  | 'body_malformed';

/** A delivery that must not be worked on: answer 401. The message says why, and what to do; it holds no secret and nothing of the body. */
export class WebhookError extends Error {
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.name = 'WebhookError';
    this.code = code;
  }
}
