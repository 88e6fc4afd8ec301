import type { RuledDocument } from '../ruled.ts';
import { taxesOfItems, type Problems } from './authority-rules.ts';
import { isVatNumber, vatPrefix } from './vat-numbers.ts';

// What VERI*FACTU checks of amounts, days and identities (validations 1.2.2). Each names the code that the authority would answer.

const NIF = /^[A-Z0-9][0-9]{7}[A-Z0-9]$/;
/** Without separators and the prefix of VAT numbers. */
const plainNumber = (taxId: string): string =>
  taxId
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/^ES(?=.{9}$)/, '');
export const isNif = (taxId: string | null | undefined): boolean => NIF.test(plainNumber(taxId ?? ''));

const MOST_DIGITS = 12;
const MOST_AMOUNT = 10 ** MOST_DIGITS;

/** Amounts have at most twelve digits before the point, in euro (1100, 1266, 1267). */
export function amounts({ amounts: of, currency, exchange_rate }: RuledDocument): Problems {
  const rate = currency === 'EUR' ? 1 : Number(exchange_rate ?? 1);
  const isTooLarge = (amount: string): boolean => Math.abs(Number(amount)) * rate >= MOST_AMOUNT - 0.005;
  return of && [of.total, ...of.others].some(isTooLarge)
    ? [['items', `come to an amount of more than ${MOST_DIGITS} digits in euro (1267): issue several documents.`]]
    : [];
}

/** By so much a tax may differ from that of its base, in euro (1142), less what rounding may add. */
const MARGIN = 10 - 0.1;

/** Base and tax are each stated in euro: where a unit of the smallest amount of the currency is worth much, the one is no longer that of the other. */
export function exchanged({ type, amounts: of, currency, exchange_rate }: RuledDocument): Problems {
  if (type !== 'standard' || currency === 'EUR') return [];
  const perUnit = Number(exchange_rate ?? 1);
  const isFar = of?.taxed?.some(
    ({ rate, base, amount }) => Math.abs(Number(amount) - (Number(base) * Number(rate)) / 100) * perUnit > MARGIN,
  );
  return isFar
    ? [
        [
          'exchange_rate',
          `makes the tax differ from that of its base by more than 10 euro (1142): state how many euro a unit of ${currency} is worth.`,
        ],
      ]
    : [];
}

const FIRST_ISSUE = '2024-10-28';
const yearsBefore = (day: string, years: number): string => `${String(Number(day.slice(0, 4)) - years).padStart(4, '0')}${day.slice(4)}`;

/** 1152, 1146, 1134. */
export function days({ issue_date: issued, supply_date: supplied }: RuledDocument): Problems {
  if (!issued) return [];
  return [
    ...(issued < FIRST_ISSUE ? ([['issue_date', `is before ${FIRST_ISSUE} (1152).`]] as Problems) : []),
    ...(supplied && supplied > issued ? ([['supply_date', 'is after the day of issue (1146).']] as Problems) : []),
    ...(supplied && supplied < yearsBefore(issued, 20)
      ? ([['supply_date', 'is more than twenty years before the day of issue (1134).']] as Problems)
      : []),
  ];
}

/** Rates of single years, by when they held (1194, 1235, 1236). */
const HELD: Readonly<Record<string, [from: string, to: string]>> = {
  '5': ['2022-07-01', '2024-09-30'],
  '2': ['2024-10-01', '2024-12-31'],
  '7.5': ['2024-10-01', '2024-12-31'],
};

/** Whether the rate holds on the day, as far as it is one of single years; of an unknown day all do. */
export const holdsOn = (rate: string, day: string | null | undefined): boolean => {
  const held = HELD[rate];
  return !held || !day || (day >= held[0] && day <= held[1]);
};

export function pastRates(document: RuledDocument): Problems {
  const day = document.supply_date ?? document.issue_date;
  if (!day) return [];
  return taxesOfItems(document).flatMap(({ path, tax }): Problems => {
    const held = tax.code === 'S' && !tax.retained ? HELD[tax.rate] : undefined;
    if (!held || holdsOn(tax.rate, day)) return [];
    return [[`${path}.rate`, `${tax.rate} held from ${held[0]} to ${held[1]}, and the supply is of ${day}.`]];
  });
}

const MOST_ID = 20;

function noVatNumber(country: string): string {
  const prefix = vatPrefix(country);
  const next = prefix === undefined ? `set tax_id_kind other, as ${country} is not in the EU` : `set it with the prefix ${prefix}`;
  return `has a VAT number that is none of ${country} (1103, 1122): ${next}, by PATCH /v1/customers/{id}.`;
}

/** Countries of ISO 3166 that the list of the authority does not have (CountryType2). */
const UNKNOWN_COUNTRIES = ['AX', 'BL', 'EH', 'GF', 'GP', 'MF', 'MQ', 'SJ', 'XK'];

/** How the record identifies the customer: 1101, 1126, 1103 and 1122, 1191, 1192. */
export function identity(document: RuledDocument): Problems {
  const { type, customer_tax_id: taxId, customer_tax_id_kind: kind, correction_code: code } = document;
  if (type === 'receipt' || !taxId) return [];
  const country = document.customer_tax_id_country ?? document.customer_country ?? 'ES';
  const hasNif = country === 'ES' && kind !== 'passport' && isNif(taxId);
  if (hasNif) return [];
  if (country === 'ES' && kind !== 'passport')
    return [
      ['customer_id', 'has a number of Spain that is no NIF (1126): set tax_id, or tax_id_kind passport, by PATCH /v1/customers/{id}.'],
    ];
  if (kind !== 'vat' && UNKNOWN_COUNTRIES.includes(country))
    return [
      [
        'customer_id',
        `has a number of ${country}, which cannot be stated (1101): set one of another country in tax_ids, or issue a receipt.`,
      ],
    ];
  if (plainNumber(taxId).length > MOST_ID)
    return [['customer_id', `has a number of more than ${MOST_ID} letters and digits (1103), which would be cut.`]];
  if (kind === 'vat' && !isVatNumber(plainNumber(taxId), country)) return [['customer_id', noVatNumber(country)]];
  if (code === 'R3' || (code === 'R2' && kind !== 'vat'))
    return [
      [
        'correction_code',
        `${code} is of customers with a NIF${code === 'R2' ? ' or a VAT number' : ''} (${code === 'R3' ? '1191' : '1192'}).`,
      ],
    ];
  return [];
}
