import type { SettingChange } from '@svc/contracts/audit/setting-changed';
import { SettingChangedV1 } from '@svc/contracts/audit/setting-changed';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import {
  type DocumentDeadlineNear,
  DocumentDeadlineNearV1,
  type DocumentRejected,
  DocumentRejectedV1,
} from '@svc/contracts/registration/outcome';
import { type Env, millisOf } from '@svc/kernel';
import type { Mail } from './mail.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Older events say nothing that is new: mails may have been switched on since. */
const NEWS_MS = DAY_MS;
const WARNED_BEFORE_MS = 30 * DAY_MS;
const MOST_DETAIL = 500;

/** What changes because of an event: a mail that is to be sent, or one that is not any more. */
export type Notice = { mail: Mail } | { withdrawn: string };

/** The notices of an event of live, at most one an hour of a kind and account. `now`: milliseconds since 1970. */
export function noticesOf(event: PublicEvent, now: number): Notice[] {
  if (event.env !== 'live') return [];
  if (event.type === SettingChangedV1.type) return ofSetting(event, event.data as SettingChange, now);
  if (event.type === DocumentDeadlineNearV1.type) return ofDeadline(event, event.data as DocumentDeadlineNear, now);
  if (event.type !== DocumentRejectedV1.type || millisOf(event.time) < now - NEWS_MS) return [];
  const { document_id: id, error } = event.data as DocumentRejected;
  return [{ mail: hourly(event, 'document_refused', { subject_id: id, detail: `${error.code}: ${error.message}`, now }) }];
}

/** One that is over is no news: it is refused meanwhile. */
function ofDeadline(event: PublicEvent, { document_id: id, authority, deadline_at: end }: DocumentDeadlineNear, now: number): Notice[] {
  if (millisOf(end) <= now) return [];
  return [{ mail: hourly(event, 'document_ends', { subject_id: id, detail: `${authority} takes it until ${end}.`, now }) }];
}

function ofSetting(event: PublicEvent, { actor, target, changes }: SettingChange, now: number): Notice[] {
  if (target.type === 'fiscal_credentials') return ofCertificate(event, (changes['successor.expires_at'] ?? changes['expires_at'])?.to);
  const isDisabled = target.type === 'webhook_endpoint' && actor.type === 'system' && changes['status']?.to === 'disabled';
  if (!isDisabled || millisOf(event.time) < now - NEWS_MS) return [];
  const reason = changes['disabled_reason']?.to;
  const detail = [target.name, reason].filter((text) => typeof text === 'string').join('\n');
  return [{ mail: hourly(event, 'endpoint_disabled', { subject_id: target.id, detail, now }) }];
}

/** One mail 30 days before its end; another certificate, or a staged one, which takes over by itself, is in the place of the one before. None ends none. */
function ofCertificate({ account, env }: PublicEvent, end: unknown): Notice[] {
  const id = `certificate ${env}.${account}`;
  if (typeof end !== 'string') return end === null ? [{ withdrawn: id }] : [];
  const due = millisOf(end) - WARNED_BEFORE_MS;
  return [
    {
      mail: {
        ...{
          _id: id,
          version: 1,
          account,
          env: env as Env,
          kind: 'certificate_ends',
          subject_id: null,
          detail: `It ends at ${end}.`,
          tries: 0,
          done: false,
        },
        ...{ due_at: due, kept_until: millisOf(end) },
      },
    },
  ];
}

function hourly(
  { account, env }: PublicEvent,
  kind: Mail['kind'],
  { subject_id, detail, now }: Pick<Mail, 'subject_id' | 'detail'> & { now: number },
): Mail {
  const hour = Math.floor(now / HOUR_MS);
  return {
    ...{
      _id: `${kind} ${env}.${account} ${hour}`,
      version: 1,
      account,
      env: env as Env,
      kind,
      subject_id,
      detail: detail.slice(0, MOST_DETAIL),
    },
    ...{ tries: 0, done: false, due_at: now, kept_until: (hour + 1) * HOUR_MS },
  };
}
