import { Denied } from '@svc/kernel';

const NOT_ACCEPTED = new Set(['SASL_AUTHENTICATION_FAILED', 'ILLEGAL_SASL_STATE', 'UNSUPPORTED_SASL_MECHANISM']);
/** kafkajs wraps the original error into the one that ended its retries. */
const DEEPEST = 5;

/**
 * `Denied` where Kafka rejects the user of this process, in whichever error kafkajs reports it; else undefined.
 * @param right what was tried: `write to invoicing.invoice`
 */
export function denied(error: unknown, right: string): Denied | undefined {
  const of = (refused: string | null, code: string): Denied => new Denied({ server: 'Kafka', right: refused, code }, { cause: error });
  let at: unknown = error;
  for (let depth = 0; depth < DEEPEST && at instanceof Error; depth += 1) {
    const { name, type, cause } = at as Error & { type?: unknown };
    if (name === 'KafkaJSSASLAuthenticationError') return of(null, name);
    if (typeof type === 'string' && NOT_ACCEPTED.has(type)) return of(null, type);
    if (typeof type === 'string' && type.endsWith('_AUTHORIZATION_FAILED')) return of(right, type);
    at = cause;
  }
  return undefined;
}
