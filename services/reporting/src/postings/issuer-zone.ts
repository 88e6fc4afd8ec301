import { SettingChangedV1, type SettingChange } from '@svc/contracts/audit/setting-changed';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { Collection, Doc, Index } from '@svc/document-store';
import type { Env } from '@svc/kernel';

/** The time zone that an issuer was set to. `_id`: its event's, so that a repeated event makes the same row. */
export interface IssuerZone extends Doc {
  account: string;
  env: Env;
  /** Time of its event, ISO 8601. */
  recorded_at: string;
  time_zone: string;
}

export type IssuerZones = Collection<IssuerZone>;

export const ISSUER_ZONES = 'issuer_zones_v1';
export const issuerZoneIndexes: Index[] = [{ fields: ['account', 'env', 'recorded_at', '_id'] }];

/** None of a change of another setting. */
export function zonesOf(event: PublicEvent): IssuerZone[] {
  if (event.type !== SettingChangedV1.type) return [];
  const { id, account, env, time, data } = event as PublicEvent<SettingChange>;
  const time_zone = data.target.type === 'issuer' ? data.changes['time_zone']?.to : undefined;
  return typeof time_zone === 'string' ? [{ _id: id, version: 1, account, env, recorded_at: time, time_zone }] : [];
}
