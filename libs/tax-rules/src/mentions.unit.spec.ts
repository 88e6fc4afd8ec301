import { mentionsOf, type ShownDocument } from './index.ts';

const issuer = (country: string, over = {}) => ({
  country,
  authority: 'sandbox',
  software_code: 'SW1',
  units: [{ code: 'U1' }],
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
const texts = (country: string, of: ShownDocument, over = {}) => mentionsOf(of, issuer(country, over)).map(({ text }) => text);

test.each([
  ['AL', ['NSLF: I-1', 'NIVF: F-1', 'Kodi i operatorit: O1', 'Kodi i vendit të ushtrimit të veprimtarisë: U1', 'Kodi i softuerit: SW1']],
  ['ME', ['IKOF: I-1', 'JIKR: F-1', 'Kod operatera: O1', 'Kod poslovnog prostora: U1', 'Kod softvera: SW1']],
  ['ES', []],
  ['FR', []],
])('every document of %s shows %s', (country, shown) => {
  expect(texts(country, document())).toEqual(shown);
  expect(texts(country, document({ type: undefined }))).toEqual(shown);
});

test('what is not known yet is left out', () => {
  expect(texts('AL', document({ fiscal: null }), { software_code: null, units: [], operators: undefined })).toEqual([]);
  const unregistered = texts('ME', document({ fiscal: { code: null, issuer_code: 'I-1' } }));
  expect(unregistered.filter((text) => /^(IKOF|JIKR)/.test(text))).toEqual(['IKOF: I-1']);
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
])('in %s the reason of an exemption, once', (country, text) => {
  const reason = { code: 'E' as const, exemption_reason: 'neni 51' };
  expect(texts(country, taxed(reason, reason)).filter((shown) => shown === text)).toHaveLength(1);
});

test('in Spain a correction says so, and VERI*FACTU what its document needs', () => {
  expect(texts('ES', document({ type: 'credit_note' }))).toEqual(['Factura rectificativa']);
  expect(mentionsOf(document({ type: 'corrective' }), issuer('ES'))).toEqual([{ rule: 'es.correction', text: 'Factura rectificativa' }]);
  expect(texts('ES', document(), { authority: 'es-verifactu' })).toEqual([
    'QR tributario',
    'Factura verificable en la sede electrónica de la AEAT',
  ]);
});
