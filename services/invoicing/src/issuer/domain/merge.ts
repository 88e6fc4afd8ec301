import { AUTHORITY_WORDS, authoritiesOf } from '@svc/contracts/issuer/vocabulary';
import type { UnitInput, UpdateIssuer } from '@svc/contracts/issuer/requests';
import { decimal, type Details, invalid, mergeMetadata, numberText, toText } from '@svc/kernel';
import { noAddress } from '../../customer/domain/state.ts';
import { rulesOfAuthority } from '@svc/tax-rules';
import { mergedDevices } from './devices.ts';
import { givenSeriesProblems, mergedSeries, seriesProblems } from './series-settings.ts';
import type { IssuerState, Unit } from './state.ts';
import { withTestValues } from './test-values.ts';

const removable: ReadonlySet<string> = new Set([
  'trade_name',
  'tax_id',
  'address',
  'software_code',
  'installation',
  'tax_regime',
  'authority',
  'metadata',
]);

/** What an issuer gets by itself. `initial`: the defaults of its account; `installation`: a number that none has had. */
export interface Filling {
  initial: IssuerState;
  installation: string;
}

/**
 * The issuer after the merge patch: an absent field stays, null removes it, objects merge, `devices` merge by code, `units` and `operators` are replaced as
 * lists. What is not set yet may be sent as null. Where the authority is set, what it wants and is not set is filled in.
 * Throws validation_error naming every invalid field.
 */
export function mergedIssuer(patch: UpdateIssuer, now: IssuerState, filling: Filling): IssuerState {
  const isKept = (field: keyof UpdateIssuer): boolean => patch[field] === null && now[field] !== null && !removable.has(field);
  const kept = (Object.keys(patch) as (keyof UpdateIssuer)[]).filter(isKept);
  if (kept.length > 0) throw invalid(Object.fromEntries(kept.map((field) => [field, ['cannot be removed: give a value or leave it out']])));
  const { address, default_tax_rate: rate, series = {}, units, devices, metadata, ...plain } = patch;
  const written = {
    ...now,
    ...plain,
    address: address === undefined ? now.address : address && { ...noAddress, ...now.address, ...address },
    default_tax_rate: rate === undefined || rate === null ? now.default_tax_rate : toText(decimal(numberText(rate))),
    units: units?.map(unitOf) ?? now.units,
    metadata: metadata === undefined ? now.metadata : mergeMetadata(now.metadata, metadata),
  };
  const tills = mergedDevices(devices ?? [], written);
  const filled = filledFor({ ...written, devices: tills.devices }, patch, now, filling);
  const next: IssuerState = { ...filled, series: mergedSeries(series, now, filled) };
  const problems = {
    ...seriesProblems(next.series),
    ...givenSeriesProblems(series, now, next),
    ...tills.problems,
    ...otherProblems(next, now),
  };
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return next;
}

/** Where the authority is set. */
function filledFor(written: IssuerState, patch: UpdateIssuer, { authority }: IssuerState, { initial, installation }: Filling): IssuerState {
  if (written.authority === authority) return written;
  const isChained = rulesOfAuthority(written.authority)?.has_installation === true;
  const numbered = isChained && written.installation === null ? { ...written, installation } : written;
  return written.livemode ? numbered : withTestValues(numbered, initial, new Set(Object.keys(patch)));
}

const unitOf = ({ code, address, devices }: UnitInput): Unit => ({
  code,
  address: address ? { ...noAddress, ...address } : null,
  devices: devices ?? [],
});

function otherProblems({ livemode, authority, country, units, operators }: IssuerState, now: IssuerState): Details {
  return {
    ...authorityProblems(livemode, authority),
    ...(authority === now.authority && country === now.country ? {} : countryProblem(authority, country)),
    ...twice('units', units),
    ...twice('operators', operators),
  };
}

/** A number taken for an authority that is not served would wait forever. */
function authorityProblems(livemode: boolean, authority: IssuerState['authority']): Details {
  return authority === null || authoritiesOf(livemode).includes(authority) ? {} : { authority: [AUTHORITY_WORDS] };
}

/** Each national authority takes documents of its own country. */
function countryProblem(authority: IssuerState['authority'], country: string | null): Details {
  const wanted = rulesOfAuthority(authority)?.country;
  return wanted === undefined || wanted === country
    ? {}
    : { country: [`is ${country}, and ${authority} is the authority of ${wanted}: send ${wanted}.`] };
}

const twice = (field: string, list: readonly { code: string }[]): Details =>
  new Set(list.map(({ code }) => code)).size === list.length ? {} : { [field]: ['have codes of their own: one stands here twice'] };
