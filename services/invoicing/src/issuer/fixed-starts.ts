import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import { seriesKinds } from '@svc/contracts/issuer/series';
import type { Details, Env } from '@svc/kernel';
import type { NumberingContext } from '../numbering/context.ts';
import { placesOf } from '../numbering/domain/settings.ts';
import { isStarted } from '../numbering/take-number.ts';
import { mergedIssuer } from './domain/merge.ts';
import type { IssuerState } from './domain/state.ts';

export interface FixedStarts {
  context: Pick<NumberingContext, 'store' | 'clock'>;
  account: string;
  env: Env;
}

/** Names every `start` that the patch would change although a number of its series is taken. */
export async function fixedStarts({ context, account, env }: FixedStarts, patch: UpdateIssuer, now: IssuerState): Promise<Details> {
  const fixed: Details = {};
  const next = mergedIssuer(patch, now);
  for (const kind of seriesKinds) {
    const settings = next.series[kind];
    if (settings.start === now.series[kind].start) continue;
    for (const place of placesOf(settings.format, next)) {
      if (!(await isStarted(context, { account, env, ...settings, ...place }, next.time_zone))) continue;
      fixed[`series.${kind}.start`] = [`stays as it is: a number of ${settings.code} is taken`];
      break;
    }
  }
  return fixed;
}
