import type { Job } from '@svc/document-store';
import type { PasswordHash } from './password-hash.ts';

/** A person, with one e-mail in the installation. `_id` is `usr_…`. */
export interface User extends Job {
  /** As it was sent. */
  email: string;
  /** As it is compared; unique. */
  email_key: string;
  /** Who named it: an operator, whose word it is whose e-mail this is, or whoever may name any. */
  email_by: 'operator' | 'member';
  name: string | null;
  language: string | null;
  /** null: none is set yet. */
  password: PasswordHash | null;
  /** Raised by what ends all sessions of the user. */
  epoch: number;
  totp: Totp | null;
  /** Those of its memberships: see joining.ts. */
  accounts: string[];
  created_at: string;
  updated_at: string;
}

/** The second factor. */
export interface Totp {
  /** Ciphertext. */
  secret: string;
  confirmed: boolean;
  /** The last step of 30 s whose code was taken; each is taken once. */
  step: number;
  /** Hashes of the recovery codes that are left. */
  recovery: string[];
}

/** E-mails are one whatever the case of their letters. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase();

/** Of the sessions that nothing has ended since: `usr_….3`. */
export const ownerOf = ({ _id, epoch }: Pick<User, '_id' | 'epoch'>): string => `${_id}.${epoch}`;

export const hasTotp = ({ totp }: Pick<User, 'totp'>): boolean => totp?.confirmed === true;
