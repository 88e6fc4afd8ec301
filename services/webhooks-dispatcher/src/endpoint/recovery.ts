import type { EndpointRecovery, RecoveryResource } from '@svc/contracts/webhook/resource';
import type { Collection, Index, Job } from '@svc/document-store';
import { iso, type Uid } from '@svc/kernel';
import type { RecoveryState } from './domain/recovery.ts';

/** The last recovery of an endpoint; `_id` is that of the endpoint. */
export interface Recovery extends Job, RecoveryState {
  account: string;
  env: 'live' | 'test';
  /** The command that began it: its deliveries are marked with it. */
  command: Uid;
  /** As it was asked for. */
  event_types: string[] | null;
  /** The deliveries that wait for their first attempt: at most `window`. */
  in_hand: string[];
  /** When the phase of ending began. */
  ending_since?: number;
}

export type Recoveries = Collection<Recovery>;

export const WEBHOOK_RECOVERIES = 'webhook_recoveries';
export const recoveryIndexes: Index[] = [{ fields: ['due_at'], present: 'due_at' }, { fields: ['status'] }];

/** The answer to the command. */
export const recoveryResource = ({
  matched,
  created,
  status,
  phase,
}: Pick<Recovery, 'matched' | 'created' | 'status' | 'phase'>): RecoveryResource => ({
  object: 'recovery',
  matched,
  created,
  status,
  ...(status !== 'stopped' && phase === 'counting' && { counting: true }),
});

/** What the endpoint shows. */
export const shownRecovery = (recovery: Recovery): EndpointRecovery => ({
  since: iso(recovery.since),
  until: iso(recovery.until),
  event_types: recovery.event_types as EndpointRecovery['event_types'],
  ...{ matched: recovery.matched, created: recovery.created, delivered: recovery.delivered, failed: recovery.failed },
  status: recovery.status,
});
