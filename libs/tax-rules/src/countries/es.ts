import type { CountryRules } from '../rules.ts';

const invoicing = (article: string): string =>
  `Real Decreto 1619/2012, artículo ${article}, https://www.boe.es/buscar/act.php?id=BOE-A-2012-14696`;
const vat = 'Ley 37/1992, https://www.boe.es/buscar/act.php?id=BOE-A-1992-28740';
const verifactu = 'Orden HAC/1177/2024, artículos 20 y 21, https://www.boe.es/buscar/act.php?id=BOE-A-2024-22138';

/** `article`: of Ley 37/1992. */
function exempt(article?: string) {
  const of = (words: string): string => (article === undefined ? '' : `: ${words.replace('#', article)}`);
  return {
    en: `Exempt${of('article # of Ley 37/1992')}`,
    es: `Operación exenta${of('artículo # de la Ley 37/1992')}`,
    sq: `Përjashtuar${of('neni # i Ley 37/1992')}`,
    'sr-Latn': `Oslobođeno${of('član # Ley 37/1992')}`,
  };
}

/** Spain: VERI*FACTU of the Agencia Estatal de Administración Tributaria. */
export const es: CountryRules = {
  id: 'es',
  void: { kind: 'annulment', source: 'Orden HAC/1177/2024: registro de facturación de anulación (RegistroAnulacion in SuministroLR.xsd)' },
  exchange_rate: { source: `${invoicing('12.1')}: the tax is stated in euro` },
  exemption_reason: {
    of: ['standard', 'credit_note', 'corrective', 'receipt'],
    source: `${invoicing('6.1.j')}; OperacionExenta in SuministroInformacion.xsd`,
  },
  vat_rates: {
    rates: ['21', '10', '7.5', '5', '4', '2'],
    source: `${vat}, artículos 90 y 91; Real Decreto-ley 20/2022 and 4/2024 (foodstuffs, 2023 and 2024)`,
  },
  qr_first: { authority: 'es-verifactu', source: verifactu },
  mentions: [
    {
      id: 'correction',
      when: { types: ['credit_note', 'corrective'] },
      text: { en: 'Corrective invoice', es: 'Factura rectificativa', sq: 'Faturë korrigjuese', 'sr-Latn': 'Korektivna faktura' },
      source: invoicing('15.5'),
    },
    { id: 'reverse_charge', when: { tax_code: 'AE' }, text: 'Inversión del sujeto pasivo', source: invoicing('6.1.m') },
    { id: 'cash_accounting', when: { tax_regime: '07' }, text: 'Régimen especial del criterio de caja', source: invoicing('6.1.p') },
    { id: 'exemption', when: { tax_code: 'E' }, text: exempt(), fact: 'exemption_reason', source: invoicing('6.1.j') },
    { id: 'intra_community', when: { tax_code: 'K' }, text: exempt('25'), source: invoicing('6.1.j') },
    { id: 'export', when: { tax_code: 'G' }, text: exempt('21'), source: invoicing('6.1.j') },
    { id: 'qr', when: { authority: 'es-verifactu' }, text: 'QR tributario:', place: 'above_qr', source: verifactu },
    {
      id: 'verifactu',
      when: { authority: 'es-verifactu' },
      text: 'Factura verificable en la sede electrónica de la AEAT',
      place: 'below_qr',
      source: verifactu,
    },
  ],
};
