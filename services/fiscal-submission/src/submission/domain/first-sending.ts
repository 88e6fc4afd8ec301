import { INTERRUPTED, UNREACHABLE, type Ending } from './facts.ts';
import type { Calling } from './state.ts';

/** When the record of this round was sent first. Times are ISO 8601. */
export interface FirstSending {
  /** null: it was not sent. */
  firstSentAt: string | null;
  /** The authority itself failed then: it could not be reached, or gave no answer that can be trusted. */
  authorityFailed: boolean;
}

/** What became of the first sending of the record. An attempt that found no key sent nothing. */
export function firstSending({ attempts, round }: Pick<Calling, 'attempts' | 'round'>): FirstSending {
  const first = attempts.find((one) => one.round === round && one.kind === 'submit' && !(one.ended && isUnsent(one.ended)));
  return { firstSentAt: first?.at ?? null, authorityFailed: first?.ended ? isOfAuthority(first.ended) : false };
}

const isUnsent = ({ verdict, http_status, error }: Ending): boolean =>
  verdict === 'deferred' && http_status === null && error?.code !== UNREACHABLE;

/** A message that it answers by putting it off has a cause on this side, such as the clock or the certificate; so has a process that ends during the call. */
const isOfAuthority = ({ verdict, error }: Ending): boolean =>
  verdict === 'unknown' ? error?.code !== INTERRUPTED : error?.code === UNREACHABLE;
