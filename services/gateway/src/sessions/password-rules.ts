import { mostUsed } from './most-used.ts';

/** Why a text of the right length is no password; undefined: it is one. */
export function problemOfPassword(text: string, email: string): string | undefined {
  const small = text.toLowerCase();
  if (small === email.toLowerCase()) return 'is your e-mail. Choose another.';
  return mostUsed.has(small) ? 'is one of the passwords that are used most. Choose another.' : undefined;
}
