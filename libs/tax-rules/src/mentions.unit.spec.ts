import { hasQrFirst, mentionsOf, type ShownDocument } from './index.ts';

const issuer = (country: string, over = {}) => ({
  country,
  authority: 'sandbox',
  software_code: 'SW1',
  units: [{ code: 'U1', devices: ['D1'] }],
  operators: [{ code: 'O1' }],
  ...over,
});
const document = (over: Partial<ShownDocument> = {}): ShownDocument => ({
  type: 'standard',
  items: [{ taxes: [{ code: 'S' }] }],
  fiscal: { code: 'F-1', issuer_code: 'I-1' },
  ...over,
});
const taxed = (...taxes: ShownDocument['items'][number]['taxes'][number][]) => document({ items: [{ taxes }] });
const languages = { AL: 'sq', ES: 'es', FR: 'en', ME: 'sr-Latn' } as const;
/** In a language of the country. */
const texts = (country: keyof typeof languages, of: ShownDocument, over = {}) =>
  mentionsOf(of, issuer(country, over), languages[country]).map(({ text }) => text);

test.each([
  [
    'AL',
    [
      ...['NSLF: I-1', 'NIVF: F-1', 'Kodi i operatorit: O1', 'Kodi i vendit të ushtrimit të veprimtarisë: U1'],
      ...['Kodi i pajisjes elektronike fiskale (TCR): D1', 'Kodi i softuerit: SW1'],
    ],
  ],
  ['ME', ['IKOF: I-1', 'JIKR: F-1', 'Kod operatera: O1', 'Kod poslovnog prostora: U1', 'Kod ENU: D1', 'Kod softvera: SW1']],
  ['ES', []],
  ['FR', []],
] as const)('every document of %s shows %s', (country, shown) => {
  expect(texts(country, document())).toEqual(shown);
  expect(texts(country, document({ type: undefined }))).toEqual(shown);
});

test('the time of issue is shown as the document writes it', () => {
  const issue_time = '20.11.2026 23:30';
  expect(texts('AL', document({ issue_time }))[0]).toBe('Data dhe ora e lëshimit: 20.11.2026 23:30');
  expect(texts('ME', document({ issue_time }))[0]).toBe('Datum i vrijeme izdavanja: 20.11.2026 23:30');
  expect(texts('ES', document({ issue_time }))).toEqual([]);
});

test('Spain: an issuer with the cash accounting scheme says so', () => {
  expect(texts('ES', document(), { tax_regime: '07' })).toEqual(['Régimen especial del criterio de caja']);
  expect(texts('ES', document(), { tax_regime: '18' })).toEqual([]);
});

test('what is not known yet is omitted', () => {
  expect(texts('AL', document({ fiscal: null }), { software_code: null, units: [], operators: undefined })).toEqual([]);
  const unregistered = texts('ME', document({ fiscal: { code: null, issuer_code: 'I-1' } }));
  expect(unregistered.filter((text) => /^(IKOF|JIKR)/.test(text))).toEqual(['IKOF: I-1']);
});

test('of several units and operators none is shown, and the codes of a receipt always', () => {
  const several = { units: [{ code: 'U1' }, { code: 'U2' }], operators: [{ code: 'O1' }, { code: 'O2' }], software_code: null };
  expect(texts('ME', document(), several)).toEqual(['IKOF: I-1', 'JIKR: F-1']);
  expect(texts('ME', document({ unit: 'U2', device: 'D2', operator: 'O2' }), several).slice(2)).toEqual([
    'Kod operatera: O2',
    'Kod poslovnog prostora: U2',
    'Kod ENU: D2',
  ]);
});

test('words that the law leaves open are in the language of the document, those that it fixes are not', () => {
  const al = mentionsOf(document(), issuer('AL'), 'en').map(({ text }) => text);
  expect(al).toEqual([
    'NSLF: I-1',
    'NIVF: F-1',
    'Operator code: O1',
    'Business unit code: U1',
    'Till code (TCR): D1',
    'Software code: SW1',
  ]);
  const spanish = taxed({ code: 'AE' }, { code: 'K' });
  expect(mentionsOf(spanish, issuer('ES'), 'en').map(({ text }) => text)).toEqual([
    'Inversión del sujeto pasivo',
    'Exempt: article 25 of Ley 37/1992',
  ]);
});

test.each([
  ['FR', 'AE', 'Reverse charge'],
  ['FR', 'K', 'Intra-community supply'],
  ['FR', 'G', 'Export outside the EU'],
  ['FR', 'O', 'Not subject to VAT'],
  ['ES', 'AE', 'Inversión del sujeto pasivo'],
  ['ES', 'K', 'Operación exenta: artículo 25 de la Ley 37/1992'],
  ['ES', 'G', 'Operación exenta: artículo 21 de la Ley 37/1992'],
] as const)('in %s a tax with code %s: %s', (country, code, text) => {
  expect(texts(country, taxed({ code: 'S' }, { code }))).toEqual([text]);
});

test.each([
  ['AL', 'Përjashtuar nga TVSH: neni 51'],
  ['ES', 'Operación exenta: neni 51'],
  ['FR', 'Exempt: neni 51'],
  ['ME', 'Oslobođeno PDV-a: neni 51'],
] as const)('in %s the reason of an exemption, once', (country, text) => {
  const reason = { code: 'E' as const, exemption_reason: 'neni 51' };
  expect(texts(country, taxed(reason, reason)).filter((shown) => shown === text)).toHaveLength(1);
});

test('the reason of another code is not that of the exemption', () => {
  expect(texts('FR', taxed({ code: 'E', exemption_reason: 'A' }, { code: 'AE', exemption_reason: 'B' }))).toEqual([
    'Exempt: A',
    'Reverse charge',
  ]);
});

test('in Spain a correction says so', () => {
  expect(texts('ES', document({ type: 'credit_note' }))).toEqual(['Factura rectificativa']);
  expect(mentionsOf(document({ type: 'corrective' }), issuer('ES'), 'es')).toMatchObject([
    { rule: 'es.correction', text: 'Factura rectificativa' },
  ]);
});

test('a document of VERI*FACTU has its QR code first, with the words of the law above and below; without the code none', () => {
  const authority = 'es-verifactu';
  const fiscal = { code: 'C', issuer_code: null, verification_url: 'https://example.com' };
  expect(mentionsOf(document({ fiscal }), issuer('ES', { authority }), 'en').map(({ place, text }) => [place, text])).toEqual([
    ['above_qr', 'QR tributario:'],
    ['below_qr', 'Factura verificable en la sede electrónica de la AEAT'],
  ]);
  expect(texts('ES', document({ fiscal: null }), { authority })).toEqual([]);
  expect([issuer('ES', { authority }), issuer('ES'), issuer('AL', { authority })].map(hasQrFirst)).toEqual([true, false, false]);
});
