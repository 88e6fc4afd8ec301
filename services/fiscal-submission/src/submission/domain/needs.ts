/** What an authority needs of whoever sends to it: data of its adapter, which the worker obeys. */
export interface Needs {
  /** Every record states the one before it. Records of an issuer and installation are prepared and sent in that order, one sending at a time. */
  chain: boolean;
  /** What is signed with the issuer's key: the issuer's code and each message, the log-in alone, or nothing. */
  signature: 'message' | 'log_in' | 'none';
  tls: 'client_certificate' | 'none';
  /** It answers what is registered under a number. */
  query: boolean;
  /** It annuls. Where it does not, a corrective document takes a registration back. */
  cancel: boolean;
  /** Most records of one sending. */
  batch: number;
  /** It stops accepting a document at some time. */
  deadline: boolean;
  /** Milliseconds after a call without an answer during which an absence proves nothing. */
  settle: number;
  answer: 'at_once' | 'poll';
}
