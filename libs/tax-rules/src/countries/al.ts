import type { CountryRules } from '../rules.ts';

const law = 'Law 87/2019 on invoices and the turnover monitoring system, https://www.tatime.gov.al';
const cis = 'Fiscalization Service, Technical Specification v07 and XSD v3, https://efiskalizimi.tatime.gov.al';
const contents = `${law}, articles 9 to 11; Instruction 16/2020`;

/** Albania: the Central Information System of the General Directorate of Taxes. */
export const al: CountryRules = {
  id: 'al',
  void: { kind: 'corrective', source: `${cis}: Invoice/CorrectiveInv; the service has no operation that annuls` },
  number_formats: { invoice: '{seq}/{year}', receipt: '{seq}/{year}/{device}', source: `${cis}: InvNumSType` },
  exchange_rate: { source: `${cis}: CurrencyType/@ExRate` },
  exemption_reason: { of: ['standard', 'credit_note', 'corrective', 'receipt'], source: `${cis}: ExemptFromVATSType` },
  vat_rates: { rates: ['20', '10', '6'], source: 'Law 92/2014 on value added tax, articles 48 and 49, https://www.tatime.gov.al' },
  mentions: [
    { id: 'iic', text: 'NSLF', fact: 'issuer_code', source: contents },
    { id: 'fic', text: 'NIVF', fact: 'fiscal_code', source: contents },
    { id: 'operator', text: 'Kodi i operatorit', fact: 'operator', source: contents },
    { id: 'unit', text: 'Kodi i vendit të ushtrimit të veprimtarisë', fact: 'unit', source: contents },
    { id: 'software', text: 'Kodi i softuerit', fact: 'software_code', source: contents },
    {
      id: 'exemption',
      when: { tax_code: 'E' },
      text: 'Përjashtuar nga TVSH',
      fact: 'exemption_reason',
      source: `${cis}: ExemptFromVATSType`,
    },
  ],
};
