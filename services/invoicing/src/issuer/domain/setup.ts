import { authoritiesOf } from '@svc/contracts/issuer/vocabulary';
import { CLOSED_SERIES, type Setup } from '@svc/contracts/issuer/setup';
import type { Details, Env } from '@svc/kernel';
import { setupProblems, validate } from '@svc/tax-rules';
import type { IssuerState } from './state.ts';

type Step = Setup['steps'][number];

/** What the deployment lacks for documents of an environment, by authority, in words for its operator. */
export type Lacking = Readonly<Record<Env, Readonly<Record<string, readonly string[]>>>>;

/** What keeps documents of an issuer back besides itself. `closed`: codes of series that are closed after a restore. */
export interface Surroundings {
  closed: readonly string[];
  lacking: Lacking;
}

/** What is missing of the issuer before a document can be submitted: a submission is refused for what of it concerns its document. */
export function setupOf(issuer: IssuerState, { closed, lacking }: Surroundings): Setup {
  const steps = [
    step('issuer', [...setupProblems(issuer), ...unnamed(issuer)]),
    step('numbers', [...ofNumbers(issuer), ...closed.map(ofClosed)]),
    step('authority', ofAuthority(issuer, lacking)),
  ];
  return { ready: steps.every(({ done }) => done), steps };
}

/** Of that list, what concerns every document and no rule of the authority says, as fields of a document. */
export const missingOf = (issuer: IssuerState, lacking: Lacking): Details =>
  Object.fromEntries([...unnamed(issuer), ...ofAuthority(issuer, lacking)].map(({ field, message }) => [`issuer.${field}`, [message]]));

const MOST_MISSING = 100;
const step = (id: Step['id'], missing: Step['missing']): Step => ({
  id,
  done: missing.length === 0,
  missing: missing.slice(0, MOST_MISSING),
});

/** What every document names of who issues it, whatever the country. A test issuer begins with it. */
const NAMED = ['legal_name', 'tax_id', 'address', 'country'] as const;

function unnamed(issuer: IssuerState): Step['missing'] {
  const asked = new Set(setupProblems(issuer).map(({ field }) => field));
  const absent = NAMED.filter((field) => issuer.livemode && issuer[field] === null && !asked.has(field));
  return absent.map((field) => ({ field, rule: 'required', message: 'is not set. Set it by PATCH /v1/issuer.' }));
}

/** Formats of the numbers that documents would take. */
const ofNumbers = (issuer: IssuerState): Step['missing'] =>
  (['standard', 'receipt'] as const).flatMap((type) => {
    const empty = { type, currency: issuer.currency, items: [], discounts: [], charges: [], number_format: issuer.series[type].format };
    return validate(empty, issuer)
      .filter(({ field }) => field === 'series')
      .map((problem) => ({ ...problem, field: `series.${type}` }));
  });

/** `code`: of a series. */
const ofClosed = (code: string): Step['missing'][number] => ({
  ...{ field: `series.${code}`, rule: CLOSED_SERIES },
  message: 'takes no numbers until the operator has verified it, since the system was restored from a backup.',
});

function ofAuthority({ authority, livemode }: IssuerState, lacking: Lacking): Step['missing'] {
  const env = livemode ? 'live' : 'test';
  if (authority !== null) return ofDeployment(authority, env, lacking[env][authority] ?? []);
  const next = `Set it by PATCH /v1/issuer: ${authoritiesOf(livemode).join(', ')}.`;
  return [{ field: 'authority', rule: 'authority', message: `is not set: nothing can be submitted. ${next}` }];
}

/** Whoever reads this is the owner: it says what to ask the operator for. */
function ofDeployment(authority: string, env: Env, lacks: readonly string[]): Step['missing'] {
  const message = `is ${authority}, which takes no ${env} documents here yet. Ask the operator of this installation to set: ${lacks.join(', ')}.`;
  return lacks.length === 0 ? [] : [{ field: 'authority', rule: 'installation', message }];
}
