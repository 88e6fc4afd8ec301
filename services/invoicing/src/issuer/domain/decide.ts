import type { UpdateIssuer } from '@svc/contracts/http/requests/issuer';
import type { Decider } from '@svc/kernel';
import { sameJson } from '../../metadata.ts';
import type { IssuerEvent, IssuerFields } from './events.ts';
import { evolve } from './evolve.ts';
import { mergedIssuer } from './merge.ts';
import type { IssuerState } from './state.ts';

/** `born`: what the issuer is while nothing is stored. */
export interface IssuerCommand {
  type: 'update';
  at: string;
  born: IssuerState;
  patch: UpdateIssuer;
}

/** The first change stores the issuer as it was born and then the change, so that the version goes from 1 to 2. */
export function decide({ at, born, patch }: IssuerCommand, state: IssuerState | null): IssuerEvent[] {
  const now = state ?? born;
  const next = mergedIssuer(patch, now);
  const changed = Object.entries(next).filter(([field, value]) => !sameJson(value, now[field as keyof IssuerState]));
  if (changed.length === 0) return [];
  const updated: IssuerEvent = { type: 'IssuerUpdated', data: { at, ...(Object.fromEntries(changed) as Partial<IssuerFields>) } };
  if (state !== null) return [updated];
  const { created_at, updated_at: _, ...fields } = born;
  return [{ type: 'IssuerCreated', data: { at: created_at, ...fields } }, updated];
}

export const issuerDecider: Decider<IssuerState | null, IssuerCommand, IssuerEvent> = { initialState: null, decide, evolve };
