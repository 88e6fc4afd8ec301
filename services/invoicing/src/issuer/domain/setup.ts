import type { Certified } from '@svc/contracts/credentials/certified-header';
import { authoritiesOf } from '@svc/contracts/issuer/vocabulary';
import { CLOSED_SERIES, CLOSED_WORDS, NO_CERTIFICATE, ofOtherOwner, type Setup } from '@svc/contracts/issuer/setup';
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

/** What the deployment and its other services have for the documents of an issuer. `certified`: absent where it is not known, and nothing is refused for it. */
export interface Provided {
  lacking: Lacking;
  certified?: Certified | undefined;
}

/**
 * What is missing of the issuer before a document can be submitted: a submission is refused for what of it concerns its document, and in the same words for a
 * certificate that is not there, which the gateway adds to it.
 */
export function setupOf(issuer: IssuerState, { closed, lacking }: Surroundings): Setup {
  const steps = [
    step('issuer', [...setupProblems(issuer), ...unnamed(issuer)]),
    step('numbers', [...ofNumbers(issuer), ...closed.map(ofClosed)]),
    step('authority', ofAuthority(issuer, lacking)),
  ];
  return { ready: steps.every(({ done }) => done), steps };
}

/** Of that list, what concerns every document and no rule of the authority says, as fields of a document. */
export const missingOf = (issuer: IssuerState, provided: Provided): Details =>
  detailed([...unnamed(issuer), ...ofAuthority(issuer, provided.lacking), ...ofCertificate(issuer, provided)]);

/** The same for a document that states its issuer already. */
export const missingFor = (issuer: Registered, provided: Provided): Details =>
  detailed([...ofAuthority(issuer, provided.lacking), ...ofCertificate(issuer, provided)]);

type Registered = Pick<IssuerState, 'authority' | 'livemode' | 'tax_id'>;
const detailed = (missing: Step['missing']): Details =>
  Object.fromEntries(missing.map(({ field, message }) => [`issuer.${field}`, [message]]));

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
  message: CLOSED_WORDS,
});

function ofAuthority({ authority, livemode }: Omit<Registered, 'tax_id'>, lacking: Lacking): Step['missing'] {
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

/** One that has ended is none of it: what is submitted waits for the next, and nothing is lost. */
function ofCertificate({ authority, livemode, tax_id }: Registered, { certified }: Provided): Step['missing'] {
  if (!livemode || authority === null || certified === undefined) return [];
  if ('subject' in certified) return ofOtherOwner({ authority, tax_id }, certified.subject);
  return certified.includes(authority) ? [] : [NO_CERTIFICATE];
}
