import { lateReason, type AuthorityRules, type Problems } from './authority-rules.ts';
import { buyerOf, currencies, days, groups, quantityOf, setupOf, signs, size, taxesOf, windowIn } from './fiscalization.ts';

const NUIS = /^[A-Z][0-9]{8}[A-Z]$/;
const METHODS = ['cash', 'card', 'check'];
/** Code 40 names no amount; the law does: an assumption. */
const CASH_LIMIT = 150_000;
const OF_INVOICES = ['transfer', 'other'];
/** Articles 51, 53 and 54 of the VAT law, other exemptions, and margin schemes (ExemptFromVATSType). */
const EXEMPTIONS = ['TYPE_1', 'TYPE_2', 'TAX_FREE', 'MARGIN_SCHEME'];
const specification = 'Fiscalization Service, Technical Specification v07';

/** Albania's service refuses what these find, or cannot say it. */
export const alCis: AuthorityRules = {
  id: 'al-cis',
  country: 'AL',
  currency: 'ALL',
  source: `${specification}, 3.7.1 and 3.7.3`,
  number_formats: { invoice: '{seq}/{year}', receipt: '{seq}/{year}/{device}', source: `${specification}, InvNum` },
  registers_day_of_number: true,
  window: windowIn('Europe/Tirane'),
  setup: setupOf({
    isTaxId: (taxId) => NUIS.test(taxId),
    taxIdWords: 'is no NUIS: a letter, eight digits and a letter.',
    namesTill: (type) => type === 'receipt',
  }),
  checks: {
    quantity: quantityOf(3),
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
    taxes: taxesOf({ exemptions: EXEMPTIONS, rates: ['20', '10', '6'], reverse: true }),
    buyer: buyerOf(['AE', 'G'], ({ has_customer = false }) => has_customer),
    signs,
    currencies,
    days,
    groups,
    size,
    cash_limit: ({ type, amounts, customer_country, customer_tax_id, customer_tax_id_country, customer_tax_id_kind }) => {
      const isTaxpayer =
        (customer_tax_id_country ?? customer_country ?? 'AL') === 'AL' &&
        customer_tax_id_kind !== 'passport' &&
        NUIS.test((customer_tax_id ?? '').toUpperCase());
      return type === 'receipt' && isTaxpayer && Number(amounts?.total ?? 0) > CASH_LIMIT
        ? [['items', `come to more than ${CASH_LIMIT} lekë, which taxpayers do not pay each other in cash (code 40): issue an invoice.`]]
        : [];
    },
    late_reason: lateReason,
  },
};
