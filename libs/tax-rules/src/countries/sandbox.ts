import type { CountryRules } from '../rules.ts';

const directive = (article: string): string =>
  `Directive 2006/112/EC, article ${article}, https://eur-lex.europa.eu/eli/dir/2006/112/oj; EN 16931-1`;

/** Of every country without rules of its own, as the sandbox authority checks none: what European law and EN 16931 ask of any invoice. */
export const sandbox: CountryRules = {
  id: 'sandbox',
  void: { kind: 'annulment', source: 'The sandbox authority annuls what it registered.' },
  exemption_reason: { of: ['standard', 'credit_note', 'corrective'], source: `${directive('226(11)')}, BR-E-10` },
  mentions: [
    {
      id: 'exemption',
      when: { tax_code: 'E' },
      text: { en: 'Exempt', es: 'Exento', sq: 'Përjashtuar', 'sr-Latn': 'Oslobođeno' },
      fact: 'exemption_reason',
      source: `${directive('226(11)')}, BR-E-10`,
    },
    {
      id: 'reverse_charge',
      when: { tax_code: 'AE' },
      // in a language of the Union
      text: { en: 'Reverse charge', es: 'Inversión del sujeto pasivo', sq: 'Reverse charge', 'sr-Latn': 'Reverse charge' },
      source: `${directive('226(11a)')}, BR-AE-10`,
    },
    {
      id: 'intra_community',
      when: { tax_code: 'K' },
      text: {
        en: 'Intra-community supply',
        es: 'Entrega intracomunitaria',
        sq: 'Furnizim brenda Bashkimit Evropian',
        'sr-Latn': 'Isporuka unutar Evropske unije',
      },
      source: `${directive('226(11)')}, BR-IC-10`,
    },
    {
      id: 'export',
      when: { tax_code: 'G' },
      text: { en: 'Export outside the EU', es: 'Exportación fuera de la UE', sq: 'Eksport jashtë BE-së', 'sr-Latn': 'Izvoz van EU' },
      source: `${directive('226(11)')}, BR-G-10`,
    },
    {
      id: 'outside_scope',
      when: { tax_code: 'O' },
      text: { en: 'Not subject to VAT', es: 'No sujeto a IVA', sq: 'Nuk i nënshtrohet TVSH-së', 'sr-Latn': 'Ne podliježe PDV-u' },
      source: 'EN 16931-1, BR-O-10',
    },
  ],
};
