import { taxesOfItems, type AuthorityRules } from './authority-rules.ts';

type Problems = [field: string, message: string][];

const NUMBER = /^(?![\s\S]*["'<>=])[\x20-\x7e]{1,60}$/;
const [MOST_GROUPS, EXEMPTIONS] = [12, ['E1', 'E2', 'E3', 'E4', 'E5', 'E6']];

/** What VERI*FACTU refuses, or cannot say. */
export const esVerifactu: AuthorityRules = {
  id: 'es-verifactu',
  source: 'VERI*FACTU, validations 1.2.2 (2026-04-08) and SuministroInformacion.xsd, AEAT',
  checks: {
    issuer: (_document, { tax_id, legal_name }) => [
      ...(tax_id && /^[A-Z0-9]{9}$/.test(tax_id) ? [] : ([['issuer.tax_id', 'is no NIF of nine letters and digits.']] as Problems)),
      ...(legal_name ? [] : ([['issuer.legal_name', 'is required.']] as Problems)),
    ],
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
  },
};
