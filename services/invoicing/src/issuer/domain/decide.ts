import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import { type Decider, sameJson } from '@svc/kernel';
import type { TaxIdCheck } from '../../customer/domain/tax-id.ts';
import type { IssuerEvent } from './events.ts';
import { evolve } from './evolve.ts';
import { mergedIssuer } from './merge.ts';
import { checkSize } from './size.ts';
import { checkTaxId } from './tax-id.ts';
import type { IssuerState } from './state.ts';

/** `initial`: its defaults while nothing is stored; their tax id is derived from the account, and always passes. */
export interface IssuerCommand {
  type: 'update';
  at: string;
  initial: IssuerState;
  patch: UpdateIssuer;
  isTaxId: TaxIdCheck;
}

/** The first change stores the initial issuer and then the changed one, so that the version goes from 1 to 2. Throws validation_error. */
function decide({ at, initial, patch, isTaxId }: IssuerCommand, state: IssuerState | null): IssuerEvent[] {
  const now = state ?? initial;
  const next = mergedIssuer(patch, now);
  if (Object.entries(next).every(([field, value]) => sameJson(value, now[field as keyof IssuerState]))) return [];
  if (next.tax_id !== initial.tax_id) checkTaxId(next, now, isTaxId);
  checkSize(next, now);
  const { updated_at: _before, ...whole } = next;
  const updated: IssuerEvent = { type: 'IssuerUpdated', data: { at, ...whole } };
  if (state !== null) return [updated];
  const { created_at, updated_at: _, ...fields } = initial;
  return [{ type: 'IssuerCreated', data: { at: created_at, ...fields } }, updated];
}

export const issuerDecider: Decider<IssuerState | null, IssuerCommand, IssuerEvent> = { initialState: null, decide, evolve };
