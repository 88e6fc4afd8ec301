import { deviceCode, exemptFromVat, issueTime, operatorCode, softwareCode, unitCode } from '../labels.ts';
import type { CountryRules } from '../rules.ts';

const law = 'Zakon o fiskalizaciji u prometu proizvoda i usluga (Sl. list CG 46/19, 73/19, 80/20, 8/21)';
const efi = 'Fiskalni servis, Tehnička specifikacija v5 and XSD, https://efi.tax.gov.me';
const vat = 'Zakon o porezu na dodatu vrijednost (Sl. list RCG 65/01, last Sl. list CG 94/24)';

/** Montenegro: the electronic fiscalization (EFI) of the Tax Administration. */
export const me: CountryRules = {
  id: 'me',
  void: { kind: 'corrective', source: `${efi}: Invoice/CorrectiveInv; the service has no operation that annuls` },
  number_formats: {
    invoice: '{seq}/{year}',
    receipt: '{seq}/{year}/{device}',
    source: `${efi}: InvNumSType, whose codes of business unit and till the registration adds`,
  },
  exchange_rate: { source: `${efi}: CurrencyType/@ExRate` },
  exemption_reason: {
    of: ['standard', 'credit_note', 'corrective', 'receipt'],
    source: `${efi}: ExemptFromVATSType, the article of the VAT law`,
  },
  vat_rates: { rates: ['21', '15', '7'], source: `${vat}, articles 24 and 24a` },
  mentions: [
    { id: 'time', text: issueTime, fact: 'issue_time', place: 'registration', source: law },
    { id: 'iic', text: 'IKOF', fact: 'issuer_code', place: 'registration', source: law },
    { id: 'fic', text: 'JIKR', fact: 'fiscal_code', place: 'registration', source: law },
    { id: 'operator', text: operatorCode, fact: 'operator', place: 'registration', source: law },
    { id: 'unit', text: unitCode, fact: 'unit', place: 'registration', source: law },
    { id: 'device', text: deviceCode, fact: 'device', place: 'registration', source: `${law}; ${efi}: Invoice/@TCRCode` },
    { id: 'software', text: softwareCode, fact: 'software_code', place: 'registration', source: law },
    { id: 'exemption', when: { tax_code: 'E' }, text: exemptFromVat, fact: 'exemption_reason', source: `${efi}: ExemptFromVATSType` },
  ],
};
