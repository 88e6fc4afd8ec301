import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import type { UblAmounts } from './amounts.ts';
import { sellerCountry, type Identifiers } from './identifiers.ts';

/** Master data that a rule of EN 16931 asks for and that the document does not have. `field`: of the resource. */
export interface Missing {
  rule: string;
  field: string;
  message: string;
}

export interface Stated extends UblAmounts {
  invoice: InvoiceResource;
  preceding: object | null;
  seller: Identifiers;
  buyer: Identifiers;
}

/** What keeps the document from conforming; it is written all the same. Amounts always conform. */
export function missingOf({ invoice, preceding, seller, buyer, groups }: Stated): Missing[] {
  const { issuer, customer, items } = invoice;
  const has = new Set(groups.map(({ vat }) => vat.code));
  const missing: Missing[] = [];
  const ask = (rule: string, field: string, there: unknown, message: string): void => {
    if (!there) missing.push({ rule, field, message });
  };
  const sellerHasId = seller.vat || seller.other;
  const sellerVat = issuer?.vat_registered ? 'issuer.tax_id' : 'issuer.vat_registered';
  ask('BR-06', 'issuer.legal_name', issuer?.legal_name, 'The seller has a name.');
  ask('BR-07', 'customer.name', customer?.name, 'The buyer has a name.');
  ask('BR-09', 'issuer.address.country', issuer && sellerCountry(issuer), 'The address of the seller has a country.');
  ask('BR-11', 'customer.address.country', customer?.address?.country, 'The address of the buyer has a country.');
  const assigned = 'The country has a code of ISO 3166-1, which XK is not.';
  ask('BR-CL-14', 'issuer.address.country', !issuer || sellerCountry(issuer) !== 'XK', assigned);
  ask('BR-CL-14', 'customer.address.country', customer?.address?.country !== 'XK', assigned);
  ask('BR-CO-26', 'issuer.tax_id', sellerHasId, 'The seller has a tax identifier.');
  for (const code of ['S', 'Z', 'E', 'AE'] as const)
    if (has.has(code))
      ask(`BR-${code}-02`, 'issuer.tax_id', sellerHasId, `A document with the VAT code ${code} has a tax identifier of the seller.`);
  if (has.has('AE')) ask('BR-AE-02', 'customer.tax_id', buyer.vat || buyer.other, 'With reverse charge the buyer has a tax identifier.');
  if (has.has('K')) {
    ask('BR-IC-02', sellerVat, seller.vat, 'An intra-community supply has the VAT identifier of the seller.');
    ask('BR-IC-02', 'customer.tax_id', buyer.vat, 'An intra-community supply has the VAT identifier of the buyer.');
    ask('BR-IC-12', 'customer.address.country', customer?.address?.country, 'An intra-community supply has the country of delivery.');
  }
  if (has.has('G')) ask('BR-G-02', sellerVat, seller.vat, 'An export has the VAT identifier of the seller.');
  const exempt = groups.find(({ vat }) => vat.code === 'E');
  if (exempt) ask('BR-E-10', exemptField(invoice), exempt.reasons.size > 0, 'An exemption from VAT has a reason.');
  items.forEach(({ description }, n) => ask('BR-25', `items.${n}.description`, description, 'A line has the name of what is sold.'));
  if (invoice.corrects) ask('BR-55', 'corrects', preceding, 'A reference to an invoice has its number.');
  return missing;
}

/** The first tax that has no reason. */
function exemptField({ items }: InvoiceResource): string {
  for (const [n, { taxes }] of items.entries()) {
    const at = taxes.findIndex(({ code, exemption_reason }) => code === 'E' && !exemption_reason);
    if (at >= 0) return `items.${n}.taxes.${at}.exemption_reason`;
  }
  return 'items';
}
