import type { RuledDocument, RuledIssuer } from '../ruled.ts';
import { taxesOfItems, type AuthorityRules } from './authority-rules.ts';

const CODE = /^[a-z]{2}[0-9]{3}[a-z]{2}[0-9]{3}$/;
const NUIS = /^[A-Z][0-9]{8}[A-Z]$/;
const CODE_WORDS = 'is no code of the authority, such as ab123cd456. Set the one that it gave, by PATCH /issuer.';
const METHODS = ['cash', 'card', 'check'];
const OF_INVOICES = ['transfer', 'other'];
/** Articles 51, 53 and 54 of the VAT law, other exemptions, and margin schemes (ExemptFromVATSType). */
const EXEMPTIONS = ['TYPE_1', 'TYPE_2', 'TAX_FREE', 'MARGIN_SCHEME'];
const [MOST_DECIMALS, MOST_GROUPS] = [3, 20];

type Problems = [field: string, message: string][];

const isCode = (code: string | null | undefined): boolean => typeof code === 'string' && CODE.test(code);

/** A receipt names where it is issued; an invoice is issued at the issuer's first. */
function places(document: RuledDocument, { units, operators }: RuledIssuer): Problems {
  const isReceipt = document.type === 'receipt';
  const unit = isReceipt ? document.unit : units?.[0]?.code;
  const operator = isReceipt ? document.operator : operators?.[0]?.code;
  return [
    ...(isCode(unit) ? [] : ([[isReceipt ? 'unit' : 'issuer.units', CODE_WORDS]] as Problems)),
    ...(isCode(operator) ? [] : ([[isReceipt ? 'operator' : 'issuer.operators', CODE_WORDS]] as Problems)),
    ...(isReceipt && !isCode(document.device) ? ([['device', CODE_WORDS]] as Problems) : []),
  ];
}

/** Albania's service refuses what these find, or cannot say it. */
export const alCis: AuthorityRules = {
  id: 'al-cis',
  source: 'Fiscalization Service, Technical Specification v07, 3.7.1 and 3.7.3',
  checks: {
    issuer: (_document, { tax_id, legal_name, software_code }) => [
      ...(tax_id && NUIS.test(tax_id) ? [] : ([['issuer.tax_id', 'is no NUIS: a letter, eight digits and a letter.']] as Problems)),
      ...(legal_name ? [] : ([['issuer.legal_name', 'is required.']] as Problems)),
      ...(isCode(software_code) ? [] : ([['issuer.software_code', CODE_WORDS]] as Problems)),
    ],
    places,
    quantity: ({ items }) =>
      items.flatMap(({ quantity = '1' }, n): Problems => {
        const [, decimals = ''] = quantity.split('.');
        return decimals.length <= MOST_DECIMALS ? [] : [[`items.${n}.quantity`, `has more than ${MOST_DECIMALS} decimals.`]];
      }),
    payment({ type, payment_method, payments = [] }) {
      if (type !== 'receipt') {
        if (!payment_method || OF_INVOICES.includes(payment_method)) return [];
        return [['payment_method', `of an invoice is ${OF_INVOICES.join(' or ')}: what is paid at a till is a receipt, with customer_id.`]];
      }
      const wrong = (method: string): boolean => !METHODS.includes(method);
      const words = `of a receipt is one of ${METHODS.join(', ')}: what is paid by transfer is an invoice, and vouchers have numbers that cannot be named.`;
      const those = payments.flatMap(({ method }, n): Problems => (wrong(method) ? [[`payments.${n}.method`, words]] : []));
      return payment_method && wrong(payment_method) ? [['payment_method', words]] : those;
    },
    taxes(document, { vat_registered = true }) {
      const all = taxesOfItems(document).filter(({ tax }) => !tax.retained);
      const isReverse = all.some(({ tax }) => tax.code === 'AE');
      return all.flatMap(({ path, tax }): Problems => {
        if (tax.category !== 'VAT') return [[path, 'is no VAT: consumption taxes and fees cannot be stated.']];
        if (tax.surcharge !== null && tax.surcharge !== undefined) return [[`${path}.surcharge`, 'cannot be stated.']];
        if (tax.code === 'K') return [[`${path}.code`, 'cannot be stated: there is no supply within a community.']];
        if (isReverse && tax.code !== 'AE') return [[`${path}.code`, 'is not AE: the reverse charge is of the whole invoice.']];
        if (!vat_registered && tax.code === 'S') return [[path, 'charges VAT, and the issuer is not registered for it.']];
        if (tax.code === 'E' && !EXEMPTIONS.includes(tax.exemption_code ?? ''))
          return [[`${path}.exemption_code`, `is one of ${EXEMPTIONS.join(', ')}.`]];
        return [];
      });
    },
    groups(document) {
      const groups = new Set(taxesOfItems(document).map(({ tax }) => `${tax.code} ${tax.rate}`));
      return groups.size <= MOST_GROUPS ? [] : [['items', `have more than ${MOST_GROUPS} tax groups.`]];
    },
  },
};
