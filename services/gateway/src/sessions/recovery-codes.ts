import { randomBytes } from 'node:crypto';

const CODES = 10;
/** 80 bits. */
const LETTERS_OF_A_CODE = 16;
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Ten codes, each of which stands once for a code of the second factor: `abcd-efgh-jkmn-pqrs`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () => {
    const letters = Array.from(randomBytes(LETTERS_OF_A_CODE), (byte) => LETTERS.charAt(byte & 31)).join('');
    return (letters.match(/.{4}/g) ?? []).join('-');
  });

/** A code as it is hashed: without what separates its letters, in small ones. */
export const plainCode = (code: string): string => code.toLowerCase().replaceAll(/[^0-9a-z]/g, '');

/** Whether a text may be a recovery code; those of an authenticator are shorter. */
export const looksLikeRecovery = (code: string): boolean => plainCode(code).length === LETTERS_OF_A_CODE;
