const ROUTE = String.raw`(?:GET|POST|PUT|PATCH|DELETE) (?:/[\w{}-]+)+`;
/** After what is done by it: "Set it by PATCH /v1/issuer." */
const BY_ROUTE = new RegExp(String.raw`(?:,? by|:) ${ROUTE}(?= |[.,:;)]|$)`, 'g');

/** Words of programs that stand in messages, in those of the pages. */
const words: readonly (readonly [RegExp, string])[] = [
  [
    /\bSend a number or a decimal string with at most \d+ digits before and (\d+) after the point(.*?), without exponent\b/g,
    'Write 1234.50 or 1234,50, at most $1 decimals$2',
  ],
  [/\bPUT \/v1\/fiscal-credentials\b/g, 'Uploading a certificate'],
  [/\bauthority_code\b/g, 'code of the authority'],
  [/\bal-cis\b/g, 'Albania (CIS)'],
  [/\bes-verifactu\b/g, 'Spain (VERI*FACTU)'],
  [/\bme-efi\b/g, 'Montenegro (EFI)'],
];

/** A message of the interface for a person before a page: what to do, without the route by which a program does it. */
export const forPeople = (message: string): string =>
  words.reduce((text, [of, to]) => text.replaceAll(of, to), message.replaceAll(BY_ROUTE, ''));
