import type { RuledTax } from '../ruled.ts';
import { lateReason, taxesOfItems, type AuthorityRules, type Problems } from './authority-rules.ts';
import { amounts, days, exchanged, holdsOn, identity, isNif, pastRates } from './es-content.ts';

const NUMBER = /^(?![\s\S]*["'<>=])[\x20-\x7e]{1,60}$/;
const NIF = /^[A-Z0-9][0-9]{7}[A-Z0-9]$/;
/** Rates that VERI*FACTU knows, each with the surcharges that belong to it (validations 1.2.2: 15.3). */
const SURCHARGES: Readonly<Record<string, readonly string[]>> = {
  ...{ '21': ['5.2', '1.75'], '10': ['1.4'], '7.5': ['1'], '5': ['0.5', '0.62'], '4': ['0.5'], '2': ['0.26'] },
};
/** Of L8A those that a whole issuer can be taxed by. Exports (02) are of single lines; margins (03, 05) and sales of others (10, 17) are in no document. */
const REGIMES = ['01', '07', '11', '18', '19', '20'];
const [MOST_GROUPS, EXEMPTIONS] = [12, ['E1', 'E2', 'E3', 'E4', 'E5', 'E6']];

/** `day`: of the supply. */
function rateProblems(path: string, { rate, surcharge = null }: RuledTax, day: string | null | undefined): Problems {
  const surcharges = SURCHARGES[rate];
  if (!surcharges) {
    const rates = Object.keys(SURCHARGES).filter((one) => holdsOn(one, day));
    return [[`${path}.rate`, `is none of ${rates.sort((a, b) => Number(b) - Number(a)).join(', ')}.`]];
  }
  if (surcharge === null || surcharges.includes(String(surcharge))) return [];
  return [[`${path}.surcharge`, `is none of ${surcharges.join(', ')}, which belong to ${rate}.`]];
}

/** What VERI*FACTU refuses, or cannot say. */
export const esVerifactu: AuthorityRules = {
  id: 'es-verifactu',
  country: 'ES',
  currency: 'EUR',
  receipt_total: { most: '3000', source: 'Real Decreto 1619/2012, artículo 4.2; VERI*FACTU, validations 1.2.2: 1150' },
  has_installation: true,
  in_batches: true,
  source: 'VERI*FACTU, validations 1.2.2 (2026-04-08) and SuministroInformacion.xsd, AEAT',
  setup: ({ tax_id, legal_name, installation, tax_regime = null }) => [
    ...(tax_id && NIF.test(tax_id) ? [] : ([['tax_id', 'is no NIF of nine letters and digits.']] as Problems)),
    ...(legal_name ? [] : ([['legal_name', 'is required.']] as Problems)),
    ...(installation
      ? []
      : ([['installation', 'is required: records name it. Set one that was never used, by PATCH /v1/issuer.']] as Problems)),
    ...(tax_regime === null || REGIMES.includes(tax_regime)
      ? []
      : ([['tax_regime', `is one of ${REGIMES.join(', ')} (L8A), or null for the general one.`]] as Problems)),
  ],
  checks: {
    number: ({ number_format: format }) =>
      format === null || NUMBER.test(format)
        ? []
        : [['series', 'has numbers with letters that the authority does not take: ASCII without " \' < > =.']],
    taxes: (document) =>
      taxesOfItems(document)
        .filter(({ tax }) => !tax.retained)
        .flatMap(({ path, tax }): Problems => {
          if (tax.category !== 'VAT') return [[path, 'is no VAT.']];
          if (tax.code === 'E' && !EXEMPTIONS.includes(tax.exemption_code ?? ''))
            return [[`${path}.exemption_code`, `is one of ${EXEMPTIONS.join(', ')}.`]];
          if (tax.code === 'S') return rateProblems(path, tax, document.supply_date ?? document.issue_date);
          if (document.type === 'receipt' && tax.code === 'AE') return [[`${path}.code`, 'is not of a simplified invoice.']];
          return [];
        }),
    groups(document) {
      const groups = new Set(
        taxesOfItems(document).map(({ tax }) => `${tax.code} ${tax.rate} ${tax.surcharge ?? ''} ${tax.exemption_code ?? ''}`),
      );
      if (document.items.some(({ taxes }) => !taxes.some(({ category, retained }) => category === 'VAT' && !retained))) groups.add('none');
      return groups.size <= MOST_GROUPS ? [] : [['items', `have more than ${MOST_GROUPS} tax groups.`]];
    },
    customer: ({ type, has_customer = false, customer_tax_id }) =>
      type === 'receipt' || !has_customer || customer_tax_id
        ? []
        : [['customer_id', 'names a customer without a tax id: issue a receipt, or set it by PATCH /v1/customers/{id}.']],
    intra_community(document) {
      const { customer_country, customer_tax_id } = document;
      const isSpanish = (customer_country ?? 'ES') === 'ES' && isNif(customer_tax_id);
      const isIntra = taxesOfItems(document).some(({ tax }) => tax.code === 'K' || (tax.code === 'E' && tax.exemption_code === 'E5'));
      return isIntra && isSpanish
        ? [['customer_id', 'has a Spanish NIF: an intra-community supply goes to a number of another country.']]
        : [];
    },
    ...{ amounts, exchanged, days, rates: pastRates, identity },
    correction_code: ({ type, correction_code }) =>
      correction_code && type === 'standard' ? [['correction_code', 'is of credit notes and correctives.']] : [],
    late_reason: lateReason,
  },
};
