import { NumbersRaisedV1, type RaisedNumbers } from '@svc/contracts/series/raised';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { Collection, Doc, Index } from '@svc/document-store';
import type { Env } from '@svc/kernel';

/** Numbers that an operator has skipped after a restore. `_id`: its event's, so that a repeated event makes the same row. */
export interface RaisedRow extends Doc, RaisedNumbers {
  account: string;
  env: Env;
  /** Time of its event, ISO 8601. */
  recorded_at: string;
  /** As of a posting. */
  stored: number;
}

export type RaisedRows = Collection<RaisedRow>;

export const RAISED_NUMBERS = 'raised_numbers_v1';
export const raisedIndexes: Index[] = [
  { fields: ['account', 'env', 'series_key', 'to_seq', '_id'] },
  { fields: ['account', 'env', 'issue_date', '_id'] },
];

export const isRaised = (event: PublicEvent): event is PublicEvent<RaisedNumbers> => event.type === NumbersRaisedV1.type;

export const raisedRow = ({ id, account, env, time, data }: PublicEvent<RaisedNumbers>, stored: number): RaisedRow => ({
  ...{ _id: id, version: 1, account, env, recorded_at: time, stored },
  ...{ series_key: data.series_key, after_seq: data.after_seq, to_seq: data.to_seq, issue_date: data.issue_date },
});
