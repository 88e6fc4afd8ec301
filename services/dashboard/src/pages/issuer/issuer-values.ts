import { readDecimal } from '../../format/decimals.ts';
import { changedFields } from '../../ui/change.ts';
import type { Issuer, IssuerChange } from './issuer.ts';

export const addressLines = ['line1', 'line2', 'postal_code', 'city', 'region'] as const;
export const issuerTexts = [
  'legal_name',
  'trade_name',
  'tax_id',
  'country',
  'currency',
  'time_zone',
  'language',
  'default_tax_rate',
  'software_code',
  'installation',
  'tax_regime',
] as const;

/** The form of who issues, as it is typed. `address_country` is not shown: it follows the country of the issuer while it is the same. */
export type IssuerValues = Record<
  (typeof issuerTexts)[number] | (typeof addressLines)[number] | 'address_country' | 'rounding' | 'prices',
  string
> & { vat_registered: boolean };

const textsOf = <Name extends string>(names: readonly Name[], read: (name: Name) => unknown) =>
  Object.fromEntries(names.map((name) => [name, String(read(name) ?? '')])) as Record<Name, string>;

export const valuesOf = (issuer: Issuer): IssuerValues => ({
  ...textsOf(issuerTexts, (name) => issuer[name]),
  ...textsOf(addressLines, (name) => issuer.address?.[name]),
  ...{ address_country: issuer.address?.country ?? '', rounding: issuer.rounding, prices: String(issuer.prices_include_tax) },
  vat_registered: issuer.vat_registered,
});

const orNull = (text: string): string | null => text.trim() || null;

const sentOf = (values: IssuerValues): IssuerChange => ({
  ...{ legal_name: orNull(values.legal_name), trade_name: orNull(values.trade_name), tax_id: orNull(values.tax_id) },
  ...{
    country: orNull(values.country),
    vat_registered: values.vat_registered,
    default_tax_rate: orNull(readDecimal(values.default_tax_rate)),
  },
  ...{ currency: values.currency.trim(), time_zone: values.time_zone.trim(), prices_include_tax: values.prices === 'true' },
  ...(values.language.trim() && { language: values.language.trim() }),
  rounding: values.rounding as 'line',
  software_code: orNull(values.software_code),
  installation: orNull(values.installation),
  tax_regime: orNull(values.tax_regime),
});

/** List L8A of VERI*FACTU; '': the general one. */
const regimes = ['', '01', '07', '11', '18', '19', '20'] as const;

/** What the form offers: the schemes of Spain, and the one that the issuer has, which may be none of them. */
export const regimesOf = ({ tax_regime: own }: Pick<Issuer, 'tax_regime'>): string[] => [
  ...new Set<string>([...regimes, ...(own === null ? [] : [own])]),
];

const addressOf = (values: IssuerValues, country: string) => ({
  ...Object.fromEntries(addressLines.map((name) => [name, orNull(values[name])])),
  country: orNull(country),
});

/** A first address is in the country of the issuer. */
function countryOf(before: IssuerValues, now: IssuerValues): string {
  const isFirst = before.address_country === '' && addressLines.some((name) => now[name].trim() !== '');
  const follows = before.address_country !== '' && before.address_country === before.country;
  return isFirst || follows ? now.country : before.address_country;
}

/** What a PATCH sends: the fields, and of the address the lines, that differ. */
export function changesOf(before: IssuerValues, now: IssuerValues): IssuerChange {
  const address = changedFields(addressOf(before, before.address_country), addressOf(now, countryOf(before, now)));
  return { ...changedFields(sentOf(before), sentOf(now)), ...(Object.keys(address).length > 0 && { address }) };
}
