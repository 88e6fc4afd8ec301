import type { AuthorityId } from '@svc/contracts/issuer/vocabulary';
import type { DeviceFacts } from './devices.ts';
import { tillsOf } from './devices.ts';
import type { IssuerState } from './state.ts';

/** What a simulator knows of every taxpayer: see the README of authority-simulator. */
const codes = {
  unit: 'bb123bb123',
  till: 'cc123cc123',
  operator: 'oo123oo123',
  software: 'ss123ss123',
  maintainer: 'mm123mm123',
};
/** Our own name for that till. */
const TILL = 'TILL1';

type Place = Pick<IssuerState, 'country' | 'address' | 'currency' | 'time_zone' | 'default_tax_rate' | 'tax_id'>;

interface Country extends Omit<Place, 'tax_id' | 'address'> {
  city: string;
  line1: string;
  postal_code: string;
  /** From the digits that the account's id comes to. */
  taxId(digits: (count: number) => string): string;
  /** Units, tills, operators and software have codes of the authority. */
  hasCodes: boolean;
}

const countries: Partial<Record<AuthorityId, Country>> = {
  'al-cis': {
    ...{ country: 'AL', currency: 'ALL', time_zone: 'Europe/Tirane', default_tax_rate: '20', hasCodes: true },
    ...{ line1: 'Rruga e Durrësit 1', city: 'Tirana', postal_code: '1001' },
    taxId: (digits) => `L${digits(8)}T`,
  },
  'es-verifactu': {
    ...{ country: 'ES', currency: 'EUR', time_zone: 'Europe/Madrid', default_tax_rate: '21', hasCodes: false },
    ...{ line1: 'Gran Vía 1', city: 'Madrid', postal_code: '28013' },
    taxId: (digits) => withCifControl(digits(7)),
  },
  'me-efi': {
    ...{ country: 'ME', currency: 'EUR', time_zone: 'Europe/Podgorica', default_tax_rate: '21', hasCodes: true },
    ...{ line1: 'Ulica slobode 1', city: 'Podgorica', postal_code: '81000' },
    taxId: (digits) => withPibControl(digits(7)),
  },
};

/** The last digit is of the sum of the digits, of every other one that of its double (Orden EHA/451/2008). */
function withCifControl(digits: string): string {
  const sum = [...digits].reduce((total, digit, n) => {
    const value = Number(digit) * (n % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `B${digits}${(10 - (sum % 10)) % 10}`;
}

/** The last digit is of the weighted sum modulo 11. */
function withPibControl(digits: string): string {
  const sum = [...digits].reduce((total, digit, n) => total + Number(digit) * (8 - n), 0);
  return `${digits}${((11 - (sum % 11)) % 11) % 10}`;
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Decimal digits of the account's id, the random end of which differs from account to account. `taxId`: `T` and the id. */
const digitsOf =
  (taxId: string) =>
  (count: number): string => {
    const size = 10 ** count;
    const value = [...taxId.slice(1)].reduce((sum, character) => (sum * 32 + Math.max(0, ALPHABET.indexOf(character))) % size, 0);
    return String(value).padStart(count, '0');
  };

function placeOf(authority: AuthorityId, initial: IssuerState): Place | undefined {
  const of = countries[authority];
  if (!of) return undefined;
  const { country, currency, time_zone, default_tax_rate, line1, city, postal_code, taxId } = of;
  const address = { line1, line2: null, city, postal_code, region: null, country };
  return { country, address, currency, time_zone, default_tax_rate, tax_id: taxId(digitsOf(initial.tax_id ?? '')) };
}

const authorities = Object.keys(countries) as AuthorityId[];

/** Whether the tax id is one that a test issuer has by itself, which no rule of a country judges. */
export const isOwnTestTaxId = (taxId: string | null, initial: IssuerState): boolean =>
  !initial.livemode && (taxId === initial.tax_id || authorities.some((authority) => placeOf(authority, initial)?.tax_id === taxId));

/**
 * The test issuer with what its authority wants and is not set. A field that still has the value with which test issuers begin, or that another
 * authority filled in, counts as not set. `given`: the fields of the request, which stay as they are.
 */
export function withTestValues(issuer: IssuerState, initial: IssuerState, given: ReadonlySet<string>): IssuerState {
  const place = issuer.authority && placeOf(issuer.authority, initial);
  if (!place || !issuer.authority) return issuer;
  const defaults = [initial, ...authorities.flatMap((authority) => placeOf(authority, initial) ?? [])];
  const isFree = (field: keyof Place): boolean =>
    !given.has(field) && (issuer[field] === null || defaults.some((one) => JSON.stringify(one[field]) === JSON.stringify(issuer[field])));
  const free = (Object.keys(place) as (keyof Place)[]).filter(isFree);
  const filled = { ...issuer, ...Object.fromEntries(free.map((field) => [field, place[field]])) };
  return countries[issuer.authority]?.hasCodes ? withCodes(filled) : filled;
}

/** With a unit, an operator, and the one till that needs no registration: further ones are registered as anywhere. */
function withCodes(issuer: IssuerState): IssuerState {
  const [first = { code: codes.unit, address: null, devices: [] }, ...others] = issuer.units;
  const hasTill = [first, ...others].some(({ devices }) => devices.length > 0);
  const units = [hasTill ? first : { ...first, devices: [TILL] }, ...others];
  const operators = issuer.operators.length > 0 ? issuer.operators : [{ code: codes.operator, name: 'Test operator' }];
  return {
    ...issuer,
    ...{ units, operators, software_code: issuer.software_code ?? codes.software },
    devices: withTill(tillsOf({ ...issuer, units })),
  };
}

function withTill(tills: DeviceFacts[]): DeviceFacts[] {
  const isKnown = tills.some(({ authority_code }) => authority_code === codes.till);
  const bare = isKnown ? undefined : tills.find(({ authority_code }) => authority_code === null);
  return tills.map((till) => {
    const { maintainer_code: maintainer } = till;
    const of = { ...till, maintainer_code: maintainer ?? codes.maintainer };
    return till === bare ? { ...of, authority_code: codes.till } : of;
  });
}
