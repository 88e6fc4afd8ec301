import { applyDecorators } from '@nestjs/common';
import { isDay } from '@svc/kernel';
import { ValidateBy } from 'class-validator';
import { readAs } from '../config/setting.ts';

/** The token of one operator. An operator may have several while one replaces another. */
export interface OperatorToken {
  /** Whom the audit names. */
  name: string;
  token: string;
  /** The last day on which it is valid, in UTC; undefined: it does not end. */
  until: string | undefined;
}

/** What the routes of the operators' port accept. */
export interface OperatorTokens {
  /** The one without a name. */
  token: string;
  named: readonly OperatorToken[];
}

const FORM = 'name:token[:YYYY-MM-DD] with commas between; a token has 32 characters or more, without spaces, : and ,';
const ENTRY = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63}):([!-+\--9;-~]{32,})(?::(\d{4}-\d{2}-\d{2}))?$/;
/** Every one is compared at every request. */
const MOST = 100;

/** Parses `ana:<token>,ben:<token>:2027-01-31`. undefined where the form is wrong, two tokens are the same, or there are more than 100. */
export function operatorTokens(text: string): OperatorToken[] | undefined {
  if (text === '') return [];
  const tokens = text.split(',').map((entry) => tokenOf(entry.trim()));
  const known = tokens.filter((token) => token !== undefined);
  const isValid = known.length === tokens.length && known.length <= MOST && new Set(known.map(({ token }) => token)).size === known.length;
  return isValid ? known : undefined;
}

function tokenOf(entry: string): OperatorToken | undefined {
  const [, name, token, until] = ENTRY.exec(entry) ?? [];
  if (name === undefined || token === undefined || (until !== undefined && !isDay(until))) return undefined;
  return { name, token, until };
}

/** A setting in the form of `operatorTokens`. The message shows the form, never the value. */
export const AreOperatorTokens = (): PropertyDecorator =>
  applyDecorators(
    readAs((text) => operatorTokens(text) ?? text),
    ValidateBy({ name: 'areOperatorTokens', validator: { validate: Array.isArray, defaultMessage: () => FORM } }),
  ) as PropertyDecorator;
