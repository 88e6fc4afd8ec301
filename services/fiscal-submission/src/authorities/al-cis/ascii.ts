import { cyrillicInLatin, greekInLatin } from './alphabets.ts';

const [MOST_NAME, DOTS] = [50, '...'];

/** Characters of the languages of the region that do not come apart into one of ASCII and a mark. */
const others: Record<string, string> = {
  ...{
    ß: 'ss',
    æ: 'ae',
    Æ: 'AE',
    œ: 'oe',
    Œ: 'OE',
    ø: 'o',
    Ø: 'O',
    đ: 'd',
    Đ: 'D',
    ð: 'd',
    Ð: 'D',
    þ: 'th',
    Þ: 'Th',
    ł: 'l',
    Ł: 'L',
    ı: 'i',
  },
  ...{ '–': '-', '—': '-', '‘': "'", '’': "'", '“': '"', '”': '"', '„': '"', '…': DOTS, '€': 'EUR', '\u00a0': ' ' },
};

const withoutMarks = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');

/**
 * A text in ASCII, which the service wants (3.2): marks are taken off, Cyrillic and Greek are written in Latin; what has no character of its own is a
 * question mark.
 */
export const ascii = (text: string): string =>
  greekInLatin(withoutMarks(cyrillicInLatin(text.normalize('NFC'))))
    .replace(/[^\x20-\x7e]/gu, (one) => others[one] ?? (/\s/u.test(one) ? ' ' : '?'))
    .trim();

/** The name of an item, cut to what the schema takes. */
export const itemName = (text: string): string => {
  const name = ascii(text);
  return name.length <= MOST_NAME ? name : `${name.slice(0, MOST_NAME - DOTS.length)}${DOTS}`;
};

/** The text of at most so many characters; undefined where nothing is left. */
export const upTo = (most: number, text: string | null | undefined): string | undefined => ascii(text ?? '').slice(0, most) || undefined;
