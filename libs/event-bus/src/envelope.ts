import type { PublicEvent } from '@svc/contracts/events/envelope';

const TYPE = /^[a-z][a-z-]{0,63}\.[a-z][a-z0-9-]{0,127}\.v[1-9]\d{0,3}$/;
const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0 && value.length <= 300;

/** What is wrong with the envelope of a received event; undefined when it is valid. The consumer checks its `data`. */
export function envelopeFault(event: unknown): string | undefined {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) return 'it is no object';
  const { specversion, id, source, type, subject, time, env, account, sequence, traceparent, data } = event as Partial<PublicEvent>;
  if (specversion !== '1.0') return 'specversion is not 1.0';
  if (!isText(id)) return 'id is missing';
  if (!isText(source)) return 'source is missing';
  if (typeof type !== 'string' || !TYPE.test(type)) return 'type is not <context>.<name>.v<n>';
  if (!isText(subject)) return 'subject is missing';
  if (!isText(time)) return 'time is missing';
  if (env !== 'live' && env !== 'test') return 'env is neither live nor test';
  if (!isText(account)) return 'account is missing';
  if (!Number.isSafeInteger(sequence)) return 'sequence is no whole number';
  if (traceparent !== undefined && !isText(traceparent)) return 'traceparent is no text';
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return 'data is no object';
  return undefined;
}
