import { lateReason, taxesOfItems, type AuthorityRules, type Problems } from './authority-rules.ts';

const NUMBER = /^(?![\s\S]*["'<>=])[\x20-\x7e]{1,60}$/;
const NIF = /^[A-Z0-9][0-9]{7}[A-Z0-9]$/;
const [MOST_GROUPS, EXEMPTIONS] = [12, ['E1', 'E2', 'E3', 'E4', 'E5', 'E6']];

/** What VERI*FACTU refuses, or cannot say. */
export const esVerifactu: AuthorityRules = {
  id: 'es-verifactu',
  country: 'ES',
  has_installation: true,
  in_batches: true,
  source: 'VERI*FACTU, validations 1.2.2 (2026-04-08) and SuministroInformacion.xsd, AEAT',
  setup: ({ tax_id, legal_name, installation }) => [
    ...(tax_id && NIF.test(tax_id) ? [] : ([['tax_id', 'is no NIF of nine letters and digits.']] as Problems)),
    ...(legal_name ? [] : ([['legal_name', 'is required.']] as Problems)),
    ...(installation
      ? []
      : ([['installation', 'is required: records name it. Set one that was never used, by PATCH /v1/issuer.']] as Problems)),
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
          if (document.type === 'receipt' && tax.code === 'AE') return [[`${path}.code`, 'is not of a simplified invoice.']];
          return [];
        }),
    groups(document) {
      const groups = new Set(
        taxesOfItems(document).map(({ tax }) => `${tax.code} ${tax.rate} ${tax.surcharge ?? ''} ${tax.exemption_code ?? ''}`),
      );
      return groups.size <= MOST_GROUPS ? [] : [['items', `have more than ${MOST_GROUPS} tax groups.`]];
    },
    customer: ({ type, has_customer = false, customer_tax_id }) =>
      type === 'receipt' || !has_customer || customer_tax_id
        ? []
        : [['customer_id', 'names a customer without a tax id: issue a receipt, or set it by PATCH /v1/customers/{id}.']],
    correction_code: ({ type, correction_code }) =>
      correction_code && type === 'standard' ? [['correction_code', 'is of credit notes and correctives.']] : [],
    late_reason: lateReason,
  },
};
