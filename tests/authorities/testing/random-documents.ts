import type { Random } from '@svc/testkit/simulation/random';
import type { AuthorityId } from './shop.ts';

// Bodies of requests, each valid by the reference; which of them an authority can say is its rules' to find.

interface Country {
  code: string;
  rates: number[];
  exemptions: string[];
  taxIds: string[];
  currency: string;
}
const countries: Record<AuthorityId, Country> = {
  'al-cis': {
    ...{ code: 'AL', currency: 'ALL', rates: [20, 10, 6], exemptions: ['TYPE_1', 'TYPE_2', 'TAX_FREE', 'MARGIN_SCHEME'] },
    taxIds: ['K72410014D', 'L91806031N', 'k72410014d', '123456789'],
  },
  'es-verifactu': {
    ...{ code: 'ES', currency: 'EUR', rates: [21, 10, 4], exemptions: ['E1', 'E2', 'E3', 'E4', 'E5', 'E6'] },
    taxIds: ['B12345674', 'ESB12345674', '12345678Z', 'X1234567L', 'b-12345674'],
  },
  'me-efi': {
    ...{ code: 'ME', currency: 'EUR', rates: [21, 15, 7], exemptions: ['VAT_CL17', 'VAT_CL20', 'VAT_CL26', 'VAT_CL44'] },
    taxIds: ['02089785', '0208978512345', '02 089 785'],
  },
};
const abroad: [country: string, taxId: string][] = [
  ['DE', 'DE136695976'],
  ['FR', 'FR40303265045'],
  ['IT', '00743110157'],
  ['GR', 'EL094259216'],
  ['GB', 'GB980780684'],
  ['US', '12-3456789'],
  ['CH', 'CHE-107.787.577'],
  ['XK', '810123456'],
];
const texts = [
  'Consulting',
  'Çmimi i shërbimit për muajin nëntor – “speciale” & <të tjera>',
  'Пшеница, 农产品, قمح, σιτάρι 🌾',
  'x'.repeat(400),
  '  leading and trailing\u00a0 ',
  "O'Neill & Söhne \"quoted\" 'single'",
  'line one\nline two\ttabbed',
  'e\u0301\u0308 combined \u200d\u2028 separators',
  '.',
];
const units = ['C62', 'KGM', 'HUR', 'XBX', 'MTK'];
/** The usual ones, and others of which many are refused. */
const [USUAL_QUANTITIES, USUAL_PRICES] = [
  ['1', '2', '0.5', '3.333', '17', '12.75', '1000'],
  ['0.01', '0.005', '19.99', '100', '33.333333', '7.1'],
];
const [QUANTITIES, PRICES] = [
  ['1', '2', '0.5', '3.333', '0.001', '0.12345678', '1000000', '17', '12.75'],
  ['0', '0.01', '0.005', '0.00000001', '19.99', '100', '33.333333', '1234567.89', '99999999.99', '0.1'],
];
const DAY_MS = 86_400_000;
const day = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

/** Documents and customers of one seed. */
export class RandomDocuments {
  private readonly country: Country;

  constructor(
    authority: AuthorityId,
    private readonly random: Random,
  ) {
    this.country = countries[authority];
  }

  customer(): object {
    const { random, country } = this;
    const [code, foreign] = random.chance(0.5) ? [country.code, undefined] : random.pick(abroad);
    const taxId = random.chance(0.15) ? undefined : (foreign ?? random.pick(country.taxIds));
    const kind = taxId === undefined || random.chance(0.4) ? undefined : random.pick(['vat', 'national', 'passport', 'other']);
    const address = {
      line1: random.pick(texts).slice(0, 255).trim(),
      city: random.pick(['Tirana', 'Nikšić', 'A Coruña', 'x'.repeat(200)]),
    };
    return {
      name: random.pick(texts).slice(0, 250).trim().replaceAll(/\s+/g, ' '),
      ...(taxId !== undefined && { tax_id: taxId }),
      ...(kind !== undefined && { tax_id_kind: kind }),
      ...(random.chance(0.5) && { kind: random.pick(['business', 'person']) }),
      ...(!random.chance(0.1) && { address: { ...address, country: code } }),
    };
  }

  invoice(): object {
    const { random, country } = this;
    const isForeign = random.chance(0.25);
    return {
      ...this.content(),
      ...(isForeign && {
        currency: random.pick(['USD', 'JPY', 'BHD', 'CHF', country.currency === 'EUR' ? 'ALL' : 'EUR']),
        exchange_rate: random.pick(['0.92', '98.765', '0.00000001', '1234.5678', '1']),
      }),
      ...(random.chance(0.3) && { prices_include_tax: true }),
      ...(random.chance(0.3) && { rounding: random.pick(['line', 'precise']) }),
      ...(random.chance(0.2) && { supply_date: day(random.pick([0, 1, 30, 400, -1])) }),
      ...(random.chance(0.2) && { due_date: day(random.pick([0, -1, -60])) }),
      ...(random.chance(0.2) && { payment_method: this.usually(['transfer', 'other'], ['card', 'cash', 'voucher']) }),
      ...(random.chance(0.3) && { discounts: [this.adjustment()] }),
      ...(random.chance(0.2) && { charges: [this.adjustment()] }),
      ...(random.chance(0.1) && { notes: random.pick(texts) }),
    };
  }

  receipt(): object {
    return { ...this.content(), payment_method: this.usually(['cash', 'card', 'check'], ['transfer', 'other', 'voucher']) };
  }

  private content(): { items: object[] } {
    const { random } = this;
    const taxes = this.taxes();
    const isOfOneKind = random.chance(0.7);
    const count = random.chance(0.05) ? random.between(50, 200) : random.between(1, 5);
    return { items: Array.from({ length: count }, () => this.line(isOfOneKind ? taxes : this.taxes())) };
  }

  private usually<T>(usual: readonly T[], others: readonly T[]): T {
    return this.random.pick(this.random.chance(0.95) ? usual : others);
  }

  private line(taxes: object[]): object {
    const { random } = this;
    return {
      description: random.pick(texts),
      quantity: this.usually(USUAL_QUANTITIES, ['-1', ...QUANTITIES]),
      unit: random.pick(units),
      unit_price: this.usually(USUAL_PRICES, PRICES),
      taxes,
      ...(random.chance(0.25) && { discounts: [this.adjustment()] }),
      ...(random.chance(0.1) && { charges: [this.adjustment()] }),
    };
  }

  private adjustment(): object {
    const { random } = this;
    return random.chance(0.8) ? { percent: random.pick(['10', '33.33', '0.5', '99']) } : { amount: random.pick(['0.01', '1', '5.5']) };
  }

  private taxes(): object[] {
    const { random, country } = this;
    const none = { rate: 0, exemption_reason: 'Exempt by law' };
    const exempt = { ...none, code: 'E', exemption_code: random.pick(country.exemptions) };
    const standard = { rate: this.usually(country.rates, [19, 5, 0.5]) };
    const others = [[exempt], [exempt], [{ rate: 0, code: 'Z' }], [], ...['AE', 'G', 'K', 'O'].map((code) => [{ ...none, code }])];
    const vat = random.chance(0.6) ? [standard] : random.pick<object[]>(others);
    const withSurcharge = random.chance(0.05) ? [{ rate: 21, surcharge: random.pick(['5.2', '1.75', '1.4']) }] : vat;
    return random.chance(0.15) ? [...withSurcharge, { category: 'IRPF', rate: 15, retained: true }] : withSurcharge;
  }
}
