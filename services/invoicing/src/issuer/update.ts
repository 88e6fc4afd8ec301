import type { Calculated } from '@svc/contracts/schema/calculated';
import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import type { IssuerResource } from '@svc/contracts/issuer/resource';
import { invalid, iso, versionAt, type Details, type Env } from '@svc/kernel';
import { checkVersion, type Identity, type IfMatch, metadataOf } from '@svc/service';
import { calculatedCheck } from '../calculated.ts';
import type { NumberingContext } from '../numbering/context.ts';
import { taxIdCheck } from '../tax-ids/tax-id-check.ts';
import { defaultIssuer, issuerStream, type Issuers } from './issuers.ts';
import { issuerDecider, type UpdateCommand } from './domain/decide.ts';
import { issuerResource } from './resource.ts';
import { seriesKinds } from '@svc/contracts/issuer/series';
import { placesOf } from '../numbering/domain/settings.ts';
import { isStarted } from '../numbering/take-number.ts';
import { mergedIssuer } from './domain/merge.ts';
import type { Lacking } from './domain/setup.ts';
import { numberSettings } from './domain/point-of-sale.ts';
import type { IssuerState } from './domain/state.ts';

export interface IssuerWriting {
  context: Pick<NumberingContext, 'clock' | 'store' | 'ids' | 'closedSeries'> & { lacking: Lacking };
  issuers: Issuers;
  identity: Identity;
  calculated?: Calculated;
  /** Whether a document waits for its authority. Absent: none does. */
  isWaiting?: (tenant: Pick<Identity, 'account' | 'env'>) => Promise<boolean>;
}

/** What a document that waits is registered by: its authority would answer for another issuer. */
const OF_WAITING = ['authority', 'country', 'tax_id', 'installation'] as const;

/** A merge patch. Throws version_conflict, validation_error. The number of changes is not limited. */
export async function updateIssuer(
  { context, issuers, identity, calculated, isWaiting }: IssuerWriting,
  { ifMatch, patch }: { ifMatch: IfMatch | undefined; patch: UpdateIssuer },
): Promise<IssuerResource> {
  const { account, env } = identity;
  const initial = defaultIssuer(account, env);
  const now = await issuers.current(account, env);
  checkVersion(ifMatch, Math.max(now.version, 1));
  const filling = { initial, installation: context.ids.next() };
  const next = mergedIssuer(patch, now.state, filling);
  const moved = OF_WAITING.filter((field) => next[field] !== now.state[field]);
  if (moved.length > 0 && (await isWaiting?.(identity))) throw invalid(Object.fromEntries(moved.map((field) => [field, [WAITING]])));
  const fixed = patch.series ? await fixedStarts({ context, account, env }, next, now.state) : {};
  if (Object.keys(fixed).length > 0) throw invalid(fixed);
  const isTaxId = await taxIdCheck(patch);
  const at = iso(context.clock.now());
  const around = { closed: await context.closedSeries.closedOf(identity), lacking: context.lacking };
  const checked = calculatedCheck(issuerDecider, (state, version) => issuerResource(state ?? initial, version, around));
  const { state, revision } = await issuers.handle(
    issuerStream(account, env),
    (state, version) => {
      checkVersion(ifMatch, Math.max(version, 1));
      const command: UpdateCommand = { type: 'update', at, ...filling, patch, isTaxId };
      return checked(calculated, command, { state, version });
    },
    metadataOf(identity),
  );
  return issuerResource(state ?? initial, versionAt(revision), around);
}

const WAITING = 'stays as it is while a document is submitting or voiding. Repeat the request when the authority has answered.';

export interface FixedStarts {
  context: Pick<NumberingContext, 'store' | 'clock'>;
  account: string;
  env: Env;
}

/** Names every `start` that the patch would change although a number of its series is taken. */
async function fixedStarts({ context, account, env }: FixedStarts, next: IssuerState, now: IssuerState): Promise<Details> {
  const fixed: Details = {};
  for (const kind of seriesKinds) {
    const settings = next.series[kind];
    if (settings.start === now.series[kind].start) continue;
    for (const place of placesOf(settings.format, numberSettings(next))) {
      if (!(await isStarted(context, { account, env, ...settings, ...place }, next.time_zone))) continue;
      fixed[`series.${kind}.start`] = [`stays as it is: a number of ${settings.code} is taken`];
      break;
    }
  }
  return fixed;
}
