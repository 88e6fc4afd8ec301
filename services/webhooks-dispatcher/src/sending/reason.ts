/** Until where an attempt came. */
export type Reached = 'nothing' | 'address' | 'connection' | 'request' | 'status';

const SECONDS = 30;

/** Of an attempt that took the whole time, by what it waited for. */
const WAITED_FOR: Record<Reached, string> = {
  nothing: 'the address of the name was not found',
  address: 'no connection was made',
  connection: 'TLS was not agreed on',
  request: 'no status came',
  status: 'the body did not end',
};

export const tooLate = (reached: Reached): string => `no complete answer within ${SECONDS} seconds: ${WAITED_FOR[reached]}`;

/** By codes of OpenSSL and Node, which are no text of the receiver. */
const CERTIFICATES: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an issuer that is not trusted (self-signed)',
  UNABLE_TO_GET_ISSUER_CERT: 'comes from an issuer that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an issuer that is not trusted, or its chain is incomplete',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes without the chain to a trusted issuer',
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  CERT_REVOKED: 'was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name',
};

const CONNECTIONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused: nothing listens there',
  ECONNRESET: 'the connection was closed before the answer was complete',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  EPIPE: 'the connection was closed before the event was sent',
  EHOSTUNREACH: 'the address cannot be reached',
  ENETUNREACH: 'the address cannot be reached',
  ETIMEDOUT: 'no connection was made in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection was made in time',
  UND_ERR_HEADERS_OVERFLOW: 'the head of the answer is too long',
  HANDSHAKE_TOO_LONG: 'TLS failed: the certificates that it sent are too long',
  HANDSHAKES_TOO_COSTLY: 'TLS was not tried: the handshakes of your endpoints took too much time in this minute',
  ANSWER_TOO_LONG: 'the answer is too long: its status did not come within 96 KiB and 32 informational answers',
  ANSWERS_TOO_COSTLY: 'the event was not sent, or its answer not read: the answers of your endpoints took too much time in this minute',
};

/** Of c-ares, by Node's resolver, and of `sharedResolve`. */
const NAMES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'was not found',
  ENODATA: 'was not found: it has no address',
  EAI_AGAIN: 'was not found: the name servers do not answer',
  ETIMEOUT: 'was not found in time: its name servers do not answer',
  ECANCELLED: 'was not found in time: its name servers do not answer',
  ESERVFAIL: 'was not found: its name servers fail',
  EREFUSED: 'was not found: its name servers refuse to answer',
  EAGAIN: 'was not looked up: too many names are being looked up',
};

/** Why there was no answer, in words that a subscriber can act on: never an internal address or a stack. */
export function reasonOf(error: unknown, host: string): string {
  const { code = '', name, message, syscall } = error as { code?: string; name?: string; message?: string; syscall?: string };
  if (name === 'ForbiddenAddress') return message ?? 'forbidden address';
  if (NAMES[code] || syscall?.startsWith('query'))
    return `the name ${host} ${NAMES[code] ?? 'was not found: the name servers do not answer'}`;
  if (CERTIFICATES[code]) return `TLS failed: the certificate ${CERTIFICATES[code]}`;
  if (code.startsWith('CERT_')) return `TLS failed: the certificate is not valid (${code})`;
  if (CONNECTIONS[code]) return CONNECTIONS[code];
  if (/^(?:ERR_SSL_|ERR_TLS_|EPROTO)/.test(code)) return `TLS failed (${code}): the other side may not speak TLS, or none of our versions`;
  if (name === 'HTTPParserError') return 'the answer is not HTTP';
  return code ? `the connection failed (${code})` : 'the connection failed';
}
