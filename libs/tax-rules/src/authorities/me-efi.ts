import { lateReason, type AuthorityRules } from './authority-rules.ts';
import { buyerOf, currencies, days, groups, quantityOf, setupOf, signs, size, taxesOf, windowIn } from './fiscalization.ts';

/** PIB of a company, JMBG of a person. */
const TIN = /^(\d{8}|\d{13})$/;
/** Articles of the VAT law (ExemptFromVATSType). */
const EXEMPTIONS = [3, 4, 14, 15, 17, 20, 26, 27, 28, 29, 30, 44].map((article) => `VAT_CL${article}`);

/** Montenegro's service: as Albania's, but that every document names its till and takes all methods of payment. Windows are assumed to be Albania's. */
export const meEfi: AuthorityRules = {
  id: 'me-efi',
  country: 'ME',
  currency: 'EUR',
  source: 'Fiskalni servis, XSD v1, https://efi.tax.gov.me',
  number_formats: {
    invoice: '{unit}/{seq}/{year}/{device}',
    receipt: '{unit}/{seq}/{year}/{device}',
    source: 'Fiskalni servis, XSD v1: InvNumSType',
  },
  registers_day_of_number: true,
  window: windowIn('Europe/Podgorica'),
  setup: setupOf({
    isTaxId: (taxId) => TIN.test(taxId),
    taxIdWords: 'is no PIB of eight digits.',
    namesTill: () => true,
  }),
  checks: {
    quantity: quantityOf(3),
    taxes: taxesOf({ exemptions: EXEMPTIONS, rates: ['21', '15', '7'], reverse: false }),
    buyer: buyerOf(['G'], ({ customer_tax_id = null }) => customer_tax_id !== null),
    signs,
    currencies,
    days,
    groups,
    size,
    late_reason: lateReason,
  },
};
