import type { SeriesKind } from '@svc/contracts/issuer/series';
import { prefixed, type Env } from '@svc/kernel';
import { documents, type DocumentKind } from '@svc/contracts/documents';
import type { DocumentContext } from './context.ts';
import { pointOfSale, type PointOfSale } from '../issuer/domain/point-of-sale.ts';
import { isVoidedByCorrective, type PlannedReversal } from './domain/reversal.ts';
import { isNumbered } from './domain/state.ts';
import { numberingFor } from './numbering.ts';

/**
 * The corrective that a void asked for now is to make: where the document was issued, in the series that the issuer has now. undefined where the
 * authority annuls, or nothing is registered.
 */
export async function planReversal(
  { context, identity: { account, env } }: { context: DocumentContext; identity: { account: string; env: Env } },
  state: object,
  { kind, series }: { kind: DocumentKind; series: SeriesKind },
): Promise<PlannedReversal | undefined> {
  if (!isNumbered(state) || state.status === 'voiding' || state.status === 'voided') return undefined;
  const { content, parties, fiscal } = state;
  if (fiscal.status === 'rejected' || !isVoidedByCorrective(parties.issuer)) return undefined;
  const issuer = await context.issuers.of(account, env);
  const { unit, device } = pointOfSale(content as Partial<PointOfSale>, parties.issuer);
  const { code } = issuer.series[series];
  const numbering = await numberingFor(context, issuer, { account, env, kind: series, code, unit, device, issueDate: null });
  return { document: prefixed(documents[kind].prefix, context.ids.next()), numbering };
}
