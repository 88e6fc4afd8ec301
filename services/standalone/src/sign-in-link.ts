import { rmSync } from 'node:fs';
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
