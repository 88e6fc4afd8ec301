import type { Language } from './rules.ts';

type Text = Readonly<Record<Language, string>>;

/** Labels that the laws of several countries ask for, none in words of its own. */
export const issueTime: Text = {
  en: 'Date and time of issue',
  es: 'Fecha y hora de expedición',
  sq: 'Data dhe ora e lëshimit',
  'sr-Latn': 'Datum i vrijeme izdavanja',
};
export const operatorCode: Text = { en: 'Operator code', es: 'Código del operador', sq: 'Kodi i operatorit', 'sr-Latn': 'Kod operatera' };
export const unitCode: Text = {
  en: 'Business unit code',
  es: 'Código del establecimiento',
  sq: 'Kodi i vendit të ushtrimit të veprimtarisë',
  'sr-Latn': 'Kod poslovnog prostora',
};
export const deviceCode: Text = {
  en: 'Till code (TCR)',
  es: 'Código de la caja (TCR)',
  sq: 'Kodi i pajisjes elektronike fiskale (TCR)',
  'sr-Latn': 'Kod ENU',
};
export const softwareCode: Text = { en: 'Software code', es: 'Código del software', sq: 'Kodi i softuerit', 'sr-Latn': 'Kod softvera' };
export const exemptFromVat: Text = {
  en: 'Exempt from VAT',
  es: 'Exento de IVA',
  sq: 'Përjashtuar nga TVSH',
  'sr-Latn': 'Oslobođeno PDV-a',
};
