import type { DeviceError } from '@svc/contracts/issuer/device';
import { dayIn, type Details, DomainError, invalid, millisOf, notFound } from '@svc/kernel';
import { rulesOfAuthority, setupProblems } from '@svc/tax-rules';
import { tillsOf, type DeviceFacts, type DeviceRegistration } from './devices.ts';
import type { IssuerState } from './state.ts';

/** Which till: `unit` is needed where several units have one of this code. */
export interface DeviceName {
  code: string;
  unit?: string | undefined;
}

/** What the authority has said to a request. */
export type DeviceOutcome = { unit: string; code: string; authority: string; request: number } & (
  { authority_code: string } | { error: DeviceError }
);

/** A request without an outcome for so long may be made again: under the same internal name the authority gives the same code. */
const AGAIN_MS = 60_000;

/** What of the issuer a till's registration names: who operates it and the codes of other tills are for documents. */
const NEEDED: readonly string[] = ['country', 'tax_id', 'software_code', 'units'];

/** Throws not_found, and validation_error where the unit has no till of this code, or several units have one and none is named. */
export function namedTill({ code, unit }: DeviceName, issuer: IssuerState): DeviceFacts {
  const named = tillsOf(issuer).filter((one) => one.code === code);
  if (named.length === 0) throw notFound('device');
  const [till, ...others] = named.filter((one) => unit === undefined || one.unit === unit);
  if (!till) throw invalid({ unit: [`has no till ${code}: ${named[0]?.unit} has one.`] });
  if (others.length > 0) throw invalid({ unit: [`is required: several units have a till ${code}.`] });
  return till;
}

/**
 * The issuer once the registration of a till is asked for; as it is where the till has its code, or the request before still waits. Throws not_found,
 * invalid_state where the authority registers no tills, and validation_error naming what is missing.
 */
export function withRequest(name: DeviceName, now: IssuerState, at: string): IssuerState {
  const till = namedTill(name, now);
  const { authority_code, registration } = till;
  if (authority_code !== null) return now;
  const waits = registration?.state === 'registering' && millisOf(at) - millisOf(registration.at) < AGAIN_MS;
  if (waits) return now;
  if (!namesTills(now.authority))
    throw new DomainError('invalid_state', `The issuer's authority (${now.authority ?? 'none'}) registers no tills: documents name none.`);
  const missing = missingFor(till, now);
  if (Object.keys(missing).length > 0) throw invalid(missing);
  const next: DeviceRegistration = { request: (registration?.request ?? 0) + 1, at, state: 'registering' };
  return withTill(now, { ...till, valid_from: till.valid_from ?? dayIn(now.time_zone, millisOf(at)), registration: next });
}

/** Numbers print the till where its authority wants it named. */
const namesTills = (authority: IssuerState['authority']): boolean =>
  rulesOfAuthority(authority)?.number_formats?.receipt.includes('{device}') === true;

function missingFor({ code, maintainer_code }: DeviceFacts, issuer: IssuerState): Details {
  const problems = setupProblems(issuer).filter(({ field }) => NEEDED.includes(field));
  return {
    ...Object.fromEntries(problems.map(({ field, message }) => [`issuer.${field}`, [message]])),
    ...(maintainer_code === null && { maintainer_code: [`of ${code} is not set. Set it by PATCH /v1/issuer, in devices.`] }),
  };
}

/** The issuer after an outcome; as it is where that is of an earlier request, of another authority, or of a till that is gone. */
export function withOutcome({ unit, code, authority, request, ...outcome }: DeviceOutcome, now: IssuerState): IssuerState {
  const till = tillsOf(now).find((one) => one.unit === unit && one.code === code);
  const asked = till?.registration;
  if (!till || asked?.state !== 'registering' || asked.request !== request || now.authority !== authority) return now;
  const { at } = asked;
  const refused = (error: DeviceError): IssuerState => withTill(now, { ...till, registration: { request, at, state: 'refused', error } });
  if ('error' in outcome) return refused(outcome.error);
  const { authority_code } = outcome;
  const other = tillsOf(now).find((one) => one !== till && one.authority_code === authority_code);
  if (other) return refused(shared(authority_code, other));
  return withTill(now, { ...till, authority_code, registration: { request, at, state: 'registered' } });
}

/** Two tills of one internal name are one to the authority, and numbers print its code. */
const shared = (authority_code: string, { unit, code }: DeviceFacts): DeviceError => ({
  code: 'code_of_another_till',
  message: `The authority gave ${authority_code}, which ${code} of ${unit} has. Give this till an internal_id of its own and register it again.`,
  fixable: 'setup',
});

function withTill(issuer: IssuerState, till: DeviceFacts): IssuerState {
  const isSame = ({ unit, code }: DeviceFacts): boolean => unit === till.unit && code === till.code;
  const devices = issuer.devices.some(isSame) ? issuer.devices.map((one) => (isSame(one) ? till : one)) : [...issuer.devices, till];
  return { ...issuer, devices };
}
