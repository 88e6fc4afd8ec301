/**
 * Cyrillic characters in Latin ones: those of Serbian, Montenegrin and Macedonian as their own Latin alphabets have them (ISO 9), without marks, so that a name is
 * written alike from both; all others by BGN/PCGN.
 */
const cyrillic: Readonly<Record<string, string>> = {
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', ђ: 'd', ѓ: 'gj', е: 'e', ж: 'z', з: 'z', ѕ: 'dz', и: 'i', ј: 'j', к: 'k', ќ: 'kj', л: 'l' },
  ...{ љ: 'lj', м: 'm', н: 'n', њ: 'nj', о: 'o', п: 'p', р: 'r', с: 's', т: 't', ћ: 'c', у: 'u', ф: 'f', х: 'h', ц: 'c', ч: 'c', џ: 'dz' },
  ...{ ш: 's', ё: 'yo', й: 'y', щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya', є: 'ye', і: 'i', ї: 'yi', ґ: 'g', ў: 'w' },
};

/** Greek characters without accents (ELOT 743, simplified). */
const greek: Readonly<Record<string, string>> = {
  ...{ α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm', ν: 'n', ξ: 'x', ο: 'o', π: 'p' },
  ...{ ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f', χ: 'ch', ψ: 'ps', ω: 'o' },
};

/** A word in Latin characters: all in capitals where it is so, and has several. */
function latin(word: string, alphabet: Readonly<Record<string, string>>): string {
  const isCapital = word.length > 1 && word === word.toUpperCase();
  return Array.from(word, (character) => {
    const lower = character.toLowerCase();
    // One with a mark that changes nothing, such as ѐ or ѝ, is written as the one that it is made of.
    const written = alphabet[lower] ?? alphabet[lower.normalize('NFD').charAt(0)];
    if (written === undefined || character === lower) return written ?? character;
    return isCapital ? written.toUpperCase() : written.charAt(0).toUpperCase() + written.slice(1);
  }).join('');
}

/** A composed text whose Cyrillic characters are Latin ones; what has none here stays. */
export const cyrillicInLatin = (text: string): string => text.replace(/\p{Script=Cyrillic}+/gu, (word) => latin(word, cyrillic));

/** The same of Greek characters, in a text whose accents are taken off. */
export const greekInLatin = (text: string): string =>
  text.replace(/\p{Script=Greek}+/gu, (word) => latin(word, greek).replace(/(?<=o)y/gi, (one) => (one === 'y' ? 'u' : 'U')));
