import type { DocumentType } from '../rules.ts';
import type { RuledDocument, RuledIssuer } from '../ruled.ts';
import { taxesOfItems, type AuthorityRules, type Problems } from './authority-rules.ts';

// What the fiscalization services of Albania and Montenegro have in common.

const CODE = /^[a-z]{2}[0-9]{3}[a-z]{2}[0-9]{3}$/;
const CODE_WORDS = 'is no code of the authority, such as ab123cd456. Set the one that it gave, by PATCH /v1/issuer.';
const MOST_GROUPS = 20;

const isCode = (code: string | null | undefined): boolean => typeof code === 'string' && CODE.test(code);

interface Dialect {
  isTaxId(taxId: string): boolean;
  taxIdWords: string;
  /** Documents that name the till they come from. */
  namesTill(type: DocumentType): boolean;
}

/** What the issuer lacks: tax id, name, and the authority's codes of units, tills, operators and software. */
export const setupOf =
  ({ isTaxId, taxIdWords, namesTill }: Dialect) =>
  (issuer: RuledIssuer, type?: DocumentType): Problems => {
    const { tax_id, legal_name, software_code, units = [], operators = [], devices = [] } = issuer;
    const tills =
      type === undefined || namesTill(type)
        ? units.flatMap(({ code: unit, devices: codes = [] }) => codes.map((code) => ({ unit, code })))
        : [];
    const coded = (at: { unit: string; code: string }): boolean =>
      devices.some(({ unit, code, authority_code }) => unit === at.unit && code === at.code && isCode(authority_code));
    const lacking = tills.filter((at) => !coded(at));
    const words = 'has no authority_code: register it by POST /v1/issuer/devices/{code}/register, or set the code that it has.';
    return [
      ...(tax_id && isTaxId(tax_id) ? [] : ([['tax_id', taxIdWords]] as Problems)),
      ...(legal_name ? [] : ([['legal_name', 'is required.']] as Problems)),
      ...(isCode(software_code) ? [] : ([['software_code', CODE_WORDS]] as Problems)),
      ...(units.length > 0 && units.every(({ code }) => isCode(code)) ? [] : ([['units', CODE_WORDS]] as Problems)),
      ...(operators.length > 0 && operators.every(({ code }) => isCode(code)) ? [] : ([['operators', CODE_WORDS]] as Problems)),
      ...(tills.length > 0 || !namesTill(type ?? 'standard') ? [] : ([['devices', 'are none: add a till to a unit.']] as Problems)),
      ...lacking.map(({ code }): Problems[number] => ['devices', `${code} ${words}`]),
    ];
  };

/** IssueDateTime is when the document took its number, and InvNum has the year of it (60): it would be registered as of another day than it shows. */
export const days = ({ issue_date: issued, numbered_on: today }: RuledDocument): Problems =>
  !issued || today === undefined || issued === today
    ? []
    : [
        [
          'issue_date',
          `is not today, ${today}, and a document is registered as of the day it is numbered: set it to null. The supply_date may be earlier.`,
        ],
      ];

/** A quantity of at most so many decimals. */
export const quantityOf =
  (most: number) =>
  ({ items }: RuledDocument): Problems =>
    items.flatMap(({ quantity = '1' }, n): Problems => {
      const [, decimals = ''] = quantity.split('.');
      return decimals.length <= most ? [] : [[`items.${n}.quantity`, `has more than ${most} decimals.`]];
    });

/** `exemptions`: of the service (ExemptFromVATSType). `rates`: that it knows, wherever the customer is. `reverse`: whether it takes the reverse charge, of whole invoices. */
export const taxesOf =
  ({ exemptions, rates, reverse }: { exemptions: readonly string[]; rates: readonly string[]; reverse: boolean }) =>
  (document: RuledDocument, { vat_registered = true }: RuledIssuer): Problems => {
    const all = taxesOfItems(document).filter(({ tax }) => !tax.retained);
    const isReverse = all.some(({ tax }) => tax.code === 'AE');
    return all.flatMap(({ path, tax }): Problems => {
      if (tax.category !== 'VAT') return [[path, 'is no VAT: consumption taxes and fees cannot be stated.']];
      if (tax.surcharge !== null && tax.surcharge !== undefined) return [[`${path}.surcharge`, 'cannot be stated.']];
      if (tax.code === 'K') return [[`${path}.code`, 'cannot be stated: there is no supply within a community.']];
      if (isReverse && !reverse) return tax.code === 'AE' ? [[`${path}.code`, 'cannot be stated: there is no reverse charge.']] : [];
      if (isReverse && tax.code !== 'AE') return [[`${path}.code`, 'is not AE: the reverse charge is of the whole invoice.']];
      if (tax.code === 'S' && !rates.includes(tax.rate)) return [[`${path}.rate`, `is none of ${rates.join(', ')}.`]];
      if (!vat_registered && tax.code === 'S') return [[path, 'charges VAT, and the issuer is not registered for it.']];
      if (tax.code === 'E' && !exemptions.includes(tax.exemption_code ?? ''))
        return [[`${path}.exemption_code`, `is one of ${exemptions.join(', ')}.`]];
      return [];
    });
  };

/** Of ISO 4217 what the list of the services does not have (CurrencyCodeSType): money of later years, that of Albania, units of account. */
const UNKNOWN_CURRENCIES = 'ALL SLE SSP VED VES XCG ZWG BOV CHE CHW CLF COU MXV USN UYI UYW'.split(' ');

/** That of the issuer is not stated. */
export const currencies = ({ currency }: RuledDocument, issuer: RuledIssuer): Problems =>
  currency !== issuer.currency && UNKNOWN_CURRENCIES.includes(currency)
    ? [['currency', `${currency} cannot be stated: the list of the service does not have it.`]]
    : [];

/** What has negative amounts names what it takes back. */
export const signs = ({ type, takes_back = false }: RuledDocument): Problems =>
  takes_back && (type === 'standard' || type === 'receipt')
    ? [
        [
          'items',
          `take back more than they sell at one rate: ${type === 'receipt' ? 'void the receipt that they take back' : 'issue a credit note for that'}.`,
        ],
      ]
    : [];

/** `codes`: of the taxes whose documents name their customer. `named`: whether one does, so that the service knows who that is. */
export const buyerOf =
  (codes: readonly string[], named: (document: RuledDocument) => boolean) =>
  (document: RuledDocument): Problems => {
    const isNeeded = taxesOfItems(document).some(({ tax }) => codes.includes(tax.code));
    return isNeeded && !named(document)
      ? [['customer_id', 'is required of such a tax, and the customer’s tax id where the service wants one.']]
      : [];
  };

/** Bytes of a message of 150,000 that its items may have: the rest is of header, parties, groups, codes and signature. */
const MOST_ITEM_BYTES = 135_000;
/** Of an item without its texts: names of its attributes, amounts of up to twelve digits. */
const ITEM_BYTES = 150;
const [MOST_NAME, MOST_UNIT, ESCAPED] = [50, 50, 6];

/** As it is sent: cut, in ASCII, with the characters that XML escapes. */
const sentBytes = (text: string, most: number): number =>
  Array.from(text.slice(0, most)).reduce((sum, character) => sum + (/[&<>"]/.test(character) ? ESCAPED : 1), 0);

/** A message has at most 150 kB (3.2; code 1). */
export function size({ items }: RuledDocument): Problems {
  const bytes = items.reduce(
    (sum, { description, unit }) => sum + ITEM_BYTES + sentBytes(description ?? '', MOST_NAME) + sentBytes(unit ?? 'C62', MOST_UNIT),
    0,
  );
  return bytes <= MOST_ITEM_BYTES
    ? []
    : [['items', 'make a message of more than 150 kB, which the service does not take: issue several documents.']];
}

export function groups(document: RuledDocument): Problems {
  const all = new Set(taxesOfItems(document).map(({ tax }) => `${tax.code} ${tax.rate}`));
  return all.size <= MOST_GROUPS ? [] : [['items', `have more than ${MOST_GROUPS} tax groups.`]];
}

/** `zone`: the country's, IANA. */
export const windowIn = (zone: string): AuthorityRules['window'] => ({ days: 2, no_internet: { until_day: 10, zone } });
