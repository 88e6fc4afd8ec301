import type { Calculated } from '@svc/contracts/schema/calculated';
import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import type { IssuerResource } from '@svc/contracts/issuer/resource';
import { invalid, iso, versionAt } from '@svc/kernel';
import { checkVersion, type Identity, type IfMatch } from '@svc/service';
import { calculatedCheck } from '../calculated.ts';
import { metadataOf } from '../context.ts';
import type { NumberingContext } from '../numbering/context.ts';
import { taxIdCheck } from '../tax-ids/tax-id-check.ts';
import { defaultIssuer } from './default-issuer.ts';
import { issuerDecider, type IssuerCommand } from './domain/decide.ts';
import { fixedStarts } from './fixed-starts.ts';
import { issuerStream, type Issuers } from './issuers.ts';
import { issuerResource } from './resource.ts';

export interface IssuerWriting {
  context: Pick<NumberingContext, 'clock' | 'store'>;
  issuers: Issuers;
  identity: Identity;
  /** The calculated fields that the caller sent. */
  calculated?: Calculated;
}

/** A merge patch. Throws version_conflict, validation_error. The number of changes is not limited. */
export async function updateIssuer(
  { context, issuers, identity, calculated }: IssuerWriting,
  { ifMatch, patch }: { ifMatch: IfMatch | undefined; patch: UpdateIssuer },
): Promise<IssuerResource> {
  const { account, env } = identity;
  const initial = defaultIssuer(account, env);
  const now = await issuers.current(account, env);
  checkVersion(ifMatch, Math.max(now.version, 1));
  const fixed = patch.series ? await fixedStarts({ context, account, env }, patch, now.state) : {};
  if (Object.keys(fixed).length > 0) throw invalid(fixed);
  const isTaxId = await taxIdCheck(patch);
  const at = iso(context.clock.now());
  const checked = calculatedCheck(issuerDecider, (state, version) => issuerResource(state ?? initial, version));
  const { state, revision } = await issuers.handle(
    issuerStream(account, env),
    (state, version) => {
      checkVersion(ifMatch, Math.max(version, 1));
      const command: IssuerCommand = { type: 'update', at, initial, patch, isTaxId };
      return checked(calculated, command, { state, version });
    },
    metadataOf(identity),
  );
  return issuerResource(state ?? initial, versionAt(revision));
}
