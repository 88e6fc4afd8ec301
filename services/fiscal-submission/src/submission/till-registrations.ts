import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { DeviceRegistrationRequested } from '@svc/contracts/registration/requested';
import { compareAndSet, type Collection, type Job } from '@svc/document-store';
import { dayIn, millisOf, type Clock, type Env } from '@svc/kernel';
import type { Till } from './authority.ts';

/** The newest request to register a till. `_id`: environment, account, unit and code of the till. */
export interface TillRegistration extends Job {
  account: string;
  env: Env;
  issuer_id: string;
  authority: string;
  unit: string;
  code: string;
  /** As the issuer counts it, and when it was made (ISO 8601). */
  request: number;
  requested_at: string;
  till: Till;
  /** Calls without an answer that can be trusted. */
  failures: number;
  traceparent?: string;
}

export const TILLS = 'till_registrations';
export const tillIndexes = [{ fields: ['due_at'] }, { fields: ['authority', 'env', 'due_at'] }];

/** Stores a request, whose registration is due at once. A repeated one, and one that is older than the stored one, changes nothing. */
export async function requestTill(
  { tills, clock }: { tills: Collection<TillRegistration>; clock: Pick<Clock, 'now'> },
  { env, account, traceparent, data }: PublicEvent<DeviceRegistrationRequested>,
): Promise<undefined> {
  const { issuer_id, authority, request, requested_at, device } = data;
  const { unit, code } = device;
  const asked = {
    ...{ account, env, issuer_id, authority, unit, code, request, requested_at, till: tillOf(data) },
    ...{ failures: 0, due_at: clock.now(), ...(traceparent !== undefined && { traceparent }) },
  };
  const _id = [env, account, unit, code].join('.');
  await compareAndSet<TillRegistration, TillRegistration>(tills, _id, {
    absent: () => ({ _id, version: 1, ...asked }),
    change: (before) => (isNewer(data, before) ? asked : undefined),
    tries: 20,
  });
}

type Counted = Pick<TillRegistration, 'request' | 'requested_at'>;

/** Requests are counted, since a clock may be set back; a till that was removed and added again is counted from 1, by its time. */
const isNewer = (asked: Counted, before: Counted): boolean => asked.request > before.request || asked.requested_at > before.requested_at;

function tillOf({ device, issuer, requested_at }: DeviceRegistrationRequested): Till {
  const { unit, internal_id, type, maintainer_code, valid_from, valid_to } = device;
  return {
    ...{ issuer_tax_id: issuer.tax_id ?? '', unit, internal_id, type, valid_to },
    software_code: issuer.software_code ?? '',
    maintainer_code: maintainer_code ?? '',
    valid_from: valid_from ?? dayIn(issuer.time_zone ?? 'UTC', millisOf(requested_at)),
  };
}
