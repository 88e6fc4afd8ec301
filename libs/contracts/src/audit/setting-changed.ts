import { publicEvent } from '../events/public-event.ts';
import { AnyObject, IsAnyText, IsText, IsTimestamp, Nested, Nullable, OneOf, Optional } from '../schema/decorators/index.ts';
import { topics } from '../events/envelope.ts';

export const settingTypes = [
  'api_key',
  'member',
  'session',
  'account',
  'issuer',
  'series',
  'fiscal_credentials',
  'webhook_endpoint',
  'invoice',
  'receipt',
  'customer',
  'export',
  'submissions',
  'chain',
  // Events that a service could not handle or publish.
  'dead_letters',
] as const;
export type SettingType = (typeof settingTypes)[number];
export const settingVerbs = [
  'created',
  'updated',
  'deleted',
  'rotated',
  'secret_rotated',
  'reset',
  'resolved',
  // By an operator: the authority does not take its record; its record is sent anew as a later release makes it.
  'given_up',
  'amended',
  // By an operator: tried again at once; sent once more; a chain of records begun anew, or opened as it is, after a restore.
  'retried',
  'resent',
  'restarted',
  'opened',
  // By an operator: what a service could not handle is deleted, and never done.
  'dropped',
  'erased',
  // Nothing has changed: who asked for evidence is kept all the same.
  'evidence_read',
] as const;
export type SettingVerb = (typeof settingVerbs)[number];

export class SettingActor {
  @OneOf(['member', 'api_key', 'operator', 'system']) type: 'member' | 'api_key' | 'operator' | 'system';
  @IsText() id: string;
}

export class SettingTarget {
  @OneOf(settingTypes) type: SettingType;
  /** Absent where there is one in an account and environment. */
  @Nullable() @IsText() id: string | null;
  /** Of what is no person. */
  @Nullable() @IsAnyText(255) name: string | null;
}

/** One change of a setting, with its values before and after; secrets are never values. Persons are named by their ids. */
export class SettingChange {
  /** UUIDv7 in base32, the natural key: an entry that is published again is the same one. */
  @IsText(64) id: string;
  @IsTimestamp() at: string;
  @Nested(() => SettingActor) actor: SettingActor;
  /** `<type>.<verb>` */
  @IsText(64) action: string;
  @Nested(() => SettingTarget) target: SettingTarget;
  @AnyObject() changes: Record<string, { from: unknown; to: unknown }>;
  /** In a session that began by a one-time link. */
  @Optional() @OneOf(['link']) via?: 'link';
  @Optional() @IsText(64) ip?: string;
  @Optional() @IsText(64) request_id?: string;
}

/** Published by every service that changes settings; the subject is the account. */
export const SettingChangedV1 = publicEvent({ type: 'audit.setting-changed.v1', topic: topics.setting, data: SettingChange });
