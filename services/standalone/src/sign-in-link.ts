import { readFileSync, rmSync } from 'node:fs';
import { keepPrivately } from './private-files.ts';

/** The file in the data folder with the first owner's one-time link. */
export const SIGN_IN_LINK = 'sign-in-link.txt';

/**
 * How the first owner signs in, for the text that a start prints: the link where a person reads it; where the output is a log, the file that has it, readable by its
 * owner alone. undefined, and no file: a password is set.
 */
export function showLink(link: string | undefined, file: string): string | undefined {
  if (link === undefined || process.stdout.isTTY) {
    rmSync(file, { force: true });
    return link;
  }
  keepPrivately(file, `${link}\n`);
  return `the link in ${file}`;
}

export interface RenewOptions {
  /** The file with the first keys. */
  file: string;
  /** Id of the account whose keys it has. */
  account: string | undefined;
  link: string | undefined;
  logger: { warn(fields: object, message: string): void };
}

/**
 * Puts the link of this start into the file with the first keys that an earlier start has written, in place of the link of then; null where a password is set. A file
 * that was removed, or holds anything else, stays as it is.
 */
export function renewLink({ file, account, link, logger }: RenewOptions): void {
  const keys = keysIn(file);
  const sign_in_url = link ?? null;
  if (keys === undefined || keys['account_id'] !== account || keys['sign_in_url'] === sign_in_url) return;
  try {
    keepPrivately(file, JSON.stringify({ ...keys, sign_in_url }, null, 2));
  } catch (error) {
    logger.warn({ err: error, file }, 'the file with the first keys still has the sign-in link of an earlier start');
  }
}

/** undefined: it has none. */
function keysIn(file: string): Record<string, unknown> | undefined {
  try {
    const keys = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown> | null;
    return keys !== null && typeof keys === 'object' && 'sign_in_url' in keys ? keys : undefined;
  } catch {
    return undefined;
  }
}
