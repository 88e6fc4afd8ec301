import { waitGoesOn } from '@svc/kernel';
import type { Audited } from '@svc/service';

/** A session of a user, which acts in one account. `_id`: SHA-256 of the cookie's value, base64url. */
export interface Session extends Audited {
  /** `ses_…`, which is shown. */
  session: string;
  user: string;
  /** User and epoch (`ownerOf`): the sessions of a user that a change of the password has not ended. */
  owner: string;
  account: string;
  member: string;
  /** Epoch of the member when it began to act in the account. */
  member_epoch: number;
  /** Milliseconds since 1970. */
  created_at: number;
  last_used_at: number;
  /** Address. */
  ip: string;
  user_agent: string | null;
  /** `link`: it began by a one-time link. */
  via: 'link' | null;
  /** Who made the link; null: it began without one. */
  link_by: 'member' | 'operator' | null;
  /** When password or code were given last, in milliseconds since 1970; 0: never. */
  stepped_at: number;
  must_set_password: boolean;
  must_enter_code: boolean;
  till: { unit: string; device: string } | null;
  /** When it was ended by its user, in milliseconds since 1970; null: it was not. */
  ended_at: number | null;
}

export interface SessionTerms {
  /** Milliseconds: of a session, of one that is not used, and of what password or code open. */
  life: number;
  idle: number;
  stepUp: number;
}

export const sessionTerms: SessionTerms = { life: 12 * 3_600_000, idle: 2 * 3_600_000, stepUp: 10 * 60_000 };

/** When it ends, unless it is used before, in milliseconds since 1970. */
export const endOf = ({ created_at: began, last_used_at: used }: Session, { life, idle }: SessionTerms): number =>
  Math.min(began + life, used + idle);

/** Also of one that began by a clock that was ahead, and was set back since. */
export const isOver = (session: Session, terms: SessionTerms, now: number): boolean =>
  session.ended_at !== null || !waitGoesOn(endOf(session, terms), now, terms.life);

/** Whether password or code were given so lately that they open what asks for them. `now`: milliseconds since 1970. */
export const isStepped = (
  { stepped_at: at }: Pick<Session, 'stepped_at'>,
  { stepUp }: Pick<SessionTerms, 'stepUp'>,
  now: number,
): boolean => waitGoesOn(at + stepUp, now, stepUp);
