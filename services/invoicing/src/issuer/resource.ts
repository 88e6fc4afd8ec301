import type { IssuerResource } from '@svc/contracts/issuer/resource';
import { jsonNumber } from '@svc/kernel';
import type { IssuerState } from './domain/state.ts';
import { authoritiesOf, noAuthorityFor } from '@svc/contracts/issuer/vocabulary';
import { CLOSED_SERIES, type Setup } from '@svc/contracts/issuer/setup';
import { type RuledDocument, validate } from '@svc/tax-rules';

/** The issuer as the API returns it; before it is stored it has version 1. `closed`: codes of series that are closed after a restore. */
export function issuerResource(state: IssuerState, version: number, closed: readonly string[] = []): IssuerResource {
  const { id, livemode, default_tax_rate: rate, metadata, created_at, updated_at, ...fields } = state;
  return {
    id,
    object: 'issuer',
    livemode,
    ...fields,
    default_tax_rate: jsonNumber(rate),
    metadata,
    created_at,
    updated_at,
    version: Math.max(version, 1),
    setup: setupOf(state, closed),
  };
}

type Step = Setup['steps'][number];

/** What is missing of the issuer before a document can be submitted: a submission is refused for the same. */
export function setupOf(issuer: IssuerState, closed: readonly string[] = []): Setup {
  const steps = [
    step('issuer', ofIssuer(issuer)),
    step('numbers', [...ofNumbers(issuer), ...closed.map(ofClosed)]),
    step('authority', ofAuthority(issuer)),
  ];
  return { ready: steps.every(({ done }) => done), steps };
}

const step = (id: Step['id'], missing: Step['missing']): Step => ({ id, done: missing.length === 0, missing });

const empty = (issuer: IssuerState, over: Partial<RuledDocument> = {}): RuledDocument => ({
  ...{ type: 'standard', currency: issuer.currency, items: [], discounts: [], charges: [], number_format: null },
  ...over,
});

const OF_ISSUER = 'issuer.';
/** What every document names of who issues it, whatever the country. A test issuer is born with it. */
const NAMED = ['legal_name', 'tax_id', 'address', 'country'] as const;

function ofIssuer(issuer: IssuerState): Step['missing'] {
  const byCountry = validate(empty(issuer), issuer)
    .filter(({ field }) => field.startsWith(OF_ISSUER))
    .map(({ field, ...problem }) => ({ ...problem, field: field.slice(OF_ISSUER.length) }));
  const absent = NAMED.filter((field) => issuer.livemode && issuer[field] === null && !byCountry.some((one) => one.field === field));
  return [...byCountry, ...absent.map((field) => ({ field, rule: 'required', message: 'is not set. Set it by PATCH /v1/issuer.' }))];
}

/** Formats of the numbers that documents would take. */
const ofNumbers = (issuer: IssuerState): Step['missing'] =>
  (['standard', 'receipt'] as const).flatMap((type) =>
    validate(empty(issuer, { type, number_format: issuer.series[type].format }), issuer)
      .filter(({ field }) => field === 'series')
      .map((problem) => ({ ...problem, field: `series.${type}` })),
  );

/** `code`: of a series. */
const ofClosed = (code: string): Step['missing'][number] => ({
  ...{ field: `series.${code}`, rule: CLOSED_SERIES },
  message: 'takes no numbers until the operator has verified it, since the system was restored from a backup.',
});

function ofAuthority({ authority, livemode }: IssuerState): Step['missing'] {
  if (authority !== null) return [];
  const here = authoritiesOf(livemode);
  const next = here.length > 0 ? `Set it by PATCH /v1/issuer: ${here.join(', ')}.` : noAuthorityFor(livemode);
  return [{ field: 'authority', rule: 'authority', message: `is not set: nothing can be submitted. ${next}` }];
}
