import { addressLines, issuerTexts } from './issuer-values.ts';

/** Fields of the interface whose messages the form shows. */
export const fieldsOfIssuer = [
  ...issuerTexts,
  'rounding',
  'prices_include_tax',
  'vat_registered',
  ...[...addressLines, 'country'].map((name) => `address.${name}`),
  'address',
];

/** Messages at the fields of the form: that of an address's country, which follows the issuer's, stands at this one. */
export function shownErrors({ prices_include_tax: prices, ...errors }: Record<string, string>): Record<string, string> {
  const own = Object.entries(errors).map(([name, text]) => [name === 'address' ? 'line1' : name.replace('address.', ''), text]);
  return { ...Object.fromEntries(own), ...(prices && { prices }) };
}
