import { deviceCode, exemptFromVat, issueTime, operatorCode, softwareCode, unitCode } from '../labels.ts';
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
    { id: 'time', text: issueTime, fact: 'issue_time', place: 'registration', source: contents },
    { id: 'iic', text: 'NSLF', fact: 'issuer_code', place: 'registration', source: contents },
    { id: 'fic', text: 'NIVF', fact: 'fiscal_code', place: 'registration', source: contents },
    { id: 'operator', text: operatorCode, fact: 'operator', place: 'registration', source: contents },
    { id: 'unit', text: unitCode, fact: 'unit', place: 'registration', source: contents },
    { id: 'device', text: deviceCode, fact: 'device', place: 'registration', source: `${contents}; ${cis}: Invoice/@TCRCode` },
    { id: 'software', text: softwareCode, fact: 'software_code', place: 'registration', source: contents },
    {
      id: 'exemption',
      when: { tax_code: 'E' },
      text: exemptFromVat,
      fact: 'exemption_reason',
      source: `${cis}: ExemptFromVATSType`,
    },
  ],
};
