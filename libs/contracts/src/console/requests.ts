import { type Grant, grants } from '../account/vocabulary.ts';
import {
  About,
  IsEmailAddress,
  IsFlag,
  IsLanguage,
  IsSentTimestamp,
  IsText,
  Nested,
  Nullable,
  OneOf,
  Optional,
  TextList,
} from '../schema/decorators/index.ts';
import { type Role, roles } from './roles.ts';

/** What is sent to prove who one is, which is compared and never stored as it is. */
const credential = () => IsText(255);

/** By e-mail and password, by a link's token, or both for an invitation of one who has a password: see `missingIn`. */
export class SignIn {
  @About('E-mail of the user.') @Optional() @credential() email?: string;
  @About('Password.') @Optional() @credential() password?: string;
  @About('Code of the second factor, or a recovery code.') @Optional() @credential() code?: string;
  @About('Token of a one-time link.') @Optional() @credential() token?: string;
}

export class StepUp {
  @About('Password; not for who has two factors.') @Optional() @credential() password?: string;
  @About('Code of the second factor, or a recovery code.') @Optional() @credential() code?: string;
}

export class ChooseAccount {
  @About('The account that this session acts in from now on.') @IsText() account: string;
}

export class SetTill {
  @About('Business unit of the till.') @IsText(64) unit: string;
  @About('Device of the till.') @IsText(64) device: string;
}

export class ChangePassword {
  @About('The present password; not where one has to be set.') @Optional() @credential() current?: string;
  @About('The new password: 12 to 128 characters, not the e-mail and none of those that are used most.') @IsText(128, 12) new: string;
}

export class UpdateMe {
  @About('Name, as others see it.') @Optional() @IsText() name?: string;
  @About('E-mail, one in the installation.') @Optional() @IsEmailAddress() email?: string;
  @About('Language of the pages, BCP 47.') @Optional() @IsLanguage() language?: string;
  @About('The password and what it becomes.') @Optional() @Nested(() => ChangePassword) password?: ChangePassword;
}

export class ConfirmTotp {
  @About('A code of the authenticator.') @credential() code: string;
}

export class UpdateAccount {
  @About('Name of the account.') @Optional() @IsText() name?: string;
  @About('Whether every member needs two factors.') @Optional() @IsFlag() require_totp?: boolean;
}

export class InviteMember {
  @About('E-mail of the person.') @IsEmailAddress() email: string;
  @About('Name of the person.') @Optional() @IsText() name?: string;
  @About('What the person may do.') @OneOf(roles) role: Role;
}

export class UpdateMember {
  @About('What the member may do.') @Optional() @OneOf(roles) role?: Role;
  @About('Whether the member is kept out.') @Optional() @IsFlag() disabled?: boolean;
  @About('Code of the operator that the member is at tills; null: none.') @Optional() @Nullable() @IsText(64) operator?: string | null;
}

/** Judged as a whole where the key is made: see `problemOfGrants`. */
const grantList = () => TextList(64, { min: 1, max: grants.length });
const ranges = () => TextList(64, { min: 1, max: 20 });

export class CreateApiKey {
  @About('Name of the key: what it is for.') @IsText() name: string;
  @About('True for a live key, false for one of the sandbox.') @IsFlag() livemode: boolean;
  @About('What the key may do; `*` is everything.') @grantList() permissions: Grant[];
  @About('When it stops being valid (RFC 3339); null: never.') @Optional() @Nullable() @IsSentTimestamp() expires_at?: string | null;
  @About('Addresses and networks (`192.0.2.0/24`) that may use it; null: any.') @Optional() @Nullable() @ranges() allowed_ips?:
    string[] | null;
}

export class ChangeApiKey {
  @About('Name of the key.') @Optional() @IsText() name?: string;
  @About('What the key may do; `*` is everything.') @Optional() @grantList() permissions?: Grant[];
  @About('When it stops being valid (RFC 3339); null: never.') @Optional() @Nullable() @IsSentTimestamp() expires_at?: string | null;
  @About('Addresses and networks that may use it; null: any.') @Optional() @Nullable() @ranges() allowed_ips?: string[] | null;
}

/** The fields that a sign-in lacks; [] where it is one. */
export const missingIn = ({ token, email, password }: SignIn): ('email' | 'password')[] =>
  token !== undefined && email === undefined && password === undefined
    ? []
    : [...(email === undefined ? (['email'] as const) : []), ...(password === undefined ? (['password'] as const) : [])];

/** Why a list is none of permissions; undefined: it is one. */
export function problemOfGrants(list: readonly string[] = []): string | undefined {
  const known: readonly string[] = grants;
  if (list.every((name) => known.includes(name)) && new Set(list).size === list.length) return undefined;
  return `Send a list of these, each once: ${grants.join(', ')}.`;
}
