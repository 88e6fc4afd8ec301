import { AUTHORITY_WORDS, authoritiesOf } from '@svc/contracts/issuer/vocabulary';
import type { UnitInput, UpdateIssuer } from '@svc/contracts/issuer/requests';
import { decimal, type Details, invalid, mergeMetadata, numberText, toText } from '@svc/kernel';
import { noAddress } from '../../customer/domain/state.ts';
import { mergedSeries, seriesProblems } from './series-settings.ts';
import type { IssuerState, Unit } from './state.ts';

const removable: ReadonlySet<string> = new Set(['trade_name', 'tax_id', 'address', 'software_code', 'authority', 'metadata']);

/**
 * The issuer after the merge patch: an absent field stays, null removes it, objects merge, `units` and `operators` are replaced as lists. What
 * is not set yet may be sent as null.
 * Throws validation_error naming every invalid field.
 */
export function mergedIssuer(patch: UpdateIssuer, now: IssuerState): IssuerState {
  const isKept = (field: keyof UpdateIssuer): boolean => patch[field] === null && now[field] !== null && !removable.has(field);
  const kept = (Object.keys(patch) as (keyof UpdateIssuer)[]).filter(isKept);
  if (kept.length > 0) throw invalid(Object.fromEntries(kept.map((field) => [field, ['cannot be removed: give a value or leave it out']])));
  const { address, default_tax_rate: rate, series, units, metadata, ...plain } = patch;
  const next: IssuerState = {
    ...now,
    ...plain,
    address: address === undefined ? now.address : address && { ...noAddress, ...now.address, ...address },
    default_tax_rate: rate === undefined || rate === null ? now.default_tax_rate : toText(decimal(numberText(rate))),
    series: mergedSeries(series ?? {}, now, patch.country ?? now.country),
    units: units?.map(unitOf) ?? now.units,
    metadata: metadata === undefined ? now.metadata : mergeMetadata(now.metadata, metadata),
  };
  const problems = { ...seriesProblems(next.series), ...otherProblems(next) };
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return next;
}

const unitOf = ({ code, address, devices }: UnitInput): Unit => ({
  code,
  address: address ? { ...noAddress, ...address } : null,
  devices: devices ?? [],
});

function otherProblems({ livemode, authority, units, operators }: IssuerState): Details {
  return {
    ...authorityProblems(livemode, authority),
    ...twice('units', units),
    ...twice('operators', operators),
  };
}

/** A number taken for an authority that is not served would wait forever. */
function authorityProblems(livemode: boolean, authority: IssuerState['authority']): Details {
  return authority === null || authoritiesOf(livemode).includes(authority) ? {} : { authority: [AUTHORITY_WORDS] };
}

const twice = (field: string, list: readonly { code: string }[]): Details =>
  new Set(list.map(({ code }) => code)).size === list.length ? {} : { [field]: ['have codes of their own: one stands here twice'] };
