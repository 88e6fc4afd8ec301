import { authoritiesOf, noAuthorityFor } from '@svc/contracts/issuer/vocabulary';
import type { Setup } from '@svc/contracts/issuer/setup';
import { type RuledDocument, validate } from '@svc/tax-rules';
import type { IssuerState } from './domain/state.ts';

type Step = Setup['steps'][number];

/** What is missing of the issuer before a document can be submitted: a submission is refused for the same. */
export function setupOf(issuer: IssuerState): Setup {
  const steps = [step('issuer', ofIssuer(issuer)), step('numbers', ofNumbers(issuer)), step('authority', ofAuthority(issuer))];
  return { ready: steps.every(({ done }) => done), steps };
}

const step = (id: Step['id'], missing: Step['missing']): Step => ({ id, done: missing.length === 0, missing });

const empty = (issuer: IssuerState, over: Partial<RuledDocument> = {}): RuledDocument => ({
  ...{ type: 'standard', currency: issuer.currency, items: [], discounts: [], charges: [], number_format: null },
  ...over,
});

const OF_ISSUER = 'issuer.';
const ofIssuer = (issuer: IssuerState): Step['missing'] =>
  validate(empty(issuer), issuer)
    .filter(({ field }) => field.startsWith(OF_ISSUER))
    .map(({ field, ...problem }) => ({ ...problem, field: field.slice(OF_ISSUER.length) }));

/** Formats of the numbers that documents would take. */
const ofNumbers = (issuer: IssuerState): Step['missing'] =>
  (['standard', 'receipt'] as const).flatMap((type) =>
    validate(empty(issuer, { type, number_format: issuer.series[type].format }), issuer)
      .filter(({ field }) => field === 'series')
      .map((problem) => ({ ...problem, field: `series.${type}` })),
  );

function ofAuthority({ authority, livemode }: IssuerState): Step['missing'] {
  if (authority !== null) return [];
  const here = authoritiesOf(livemode);
  const next = here.length > 0 ? `Set it by PATCH /v1/issuer: ${here.join(', ')}.` : noAuthorityFor(livemode);
  return [{ field: 'authority', rule: 'authority', message: `is not set: nothing can be submitted. ${next}` }];
}
