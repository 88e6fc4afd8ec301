import type { Incomplete } from '@svc/contracts/console/routes';
import { DomainError } from '@svc/kernel';

export const originNotAllowed = (publicUrl: string): DomainError =>
  new DomainError('origin_not_allowed', `This comes from another page, or to another host, than those of ${publicUrl}. Open that address.`);

const lacking: Record<Incomplete, string> = {
  code: 'Enter the code of your second factor first: POST /console/session/step-up.',
  password: 'Set a password first: PATCH /console/me.',
  totp: 'Turn on two factors first, which this account demands: POST /console/me/totp.',
};

export const sessionIncomplete = (lack: Incomplete): DomainError => new DomainError('session_incomplete', lacking[lack]);

export const sessionChanged = (): DomainError =>
  new DomainError(
    'session_changed',
    'You have signed in as someone else or chosen another account since. Nothing was done; load the page again.',
  );

export const stepUpRequired = (): DomainError =>
  new DomainError(
    'step_up_required',
    'Give your password again, or your code where you have two factors: POST /console/session/step-up. Then repeat this.',
  );

export const livemodeRequired = (): DomainError =>
  new DomainError('invalid_request', 'Send X-Livemode: true or false, the environment to act in.', { 'x-livemode': ['is true or false'] });

export const roleLacks = (permission: string): DomainError =>
  new DomainError('insufficient_permissions', `Your role lacks the permission ${permission}. Ask an owner or admin of the account.`);

export const forAdministrators = (): DomainError =>
  new DomainError('insufficient_permissions', 'This is for owners and admins of the account.');
