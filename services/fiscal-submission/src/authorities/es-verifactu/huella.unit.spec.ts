import { readFileSync } from 'node:fs';
import { huellaOfAlta, huellaOfAnulacion, verificationUrl } from './huella.ts';

const vectors = JSON.parse(readFileSync(new URL('./fixtures/vectors.json', import.meta.url), 'utf8')) as {
  huellas: { input: string; sha256: string }[];
  qr: string;
};

/** The fields of a published text. */
const fieldsOf = (input: string): Record<string, string> =>
  Object.fromEntries(input.split('&').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));

test.each(vectors.huellas.map(({ input, sha256 }) => [input, sha256]))('the published hash of %s', (input, sha256) => {
  const of = fieldsOf(input);
  const at = of['FechaHoraHusoGenRegistro'] ?? '';
  const previous = of['Huella'] ?? '';
  const hash =
    'IDEmisorFactura' in of
      ? huellaOfAlta(
          {
            ...{ nif: of['IDEmisorFactura'] ?? '', number: of['NumSerieFactura'] ?? '', day: of['FechaExpedicionFactura'] ?? '' },
            ...{ type: of['TipoFactura'] ?? '', tax: of['CuotaTotal'] ?? '', total: of['ImporteTotal'] ?? '', at },
          },
          previous,
        )
      : huellaOfAnulacion(
          {
            ...{ nif: of['IDEmisorFacturaAnulada'] ?? '', number: of['NumSerieFacturaAnulada'] ?? '' },
            ...{ day: of['FechaExpedicionFacturaAnulada'] ?? '', at },
          },
          previous,
        );
  expect(hash).toBe(sha256);
});

test('the published link for the check of an invoice', () => {
  const of = { nif: '89890001K', number: '12345678&G33', day: '01-01-2024', type: 'F1', tax: '', total: '241.4', at: '' };
  expect(verificationUrl('https://prewww2.aeat.es', of)).toBe(vectors.qr);
});

test('amounts are hashed as they are written, and values without spaces around', () => {
  const of = {
    nif: '89890001K',
    number: 'A1',
    day: '01-01-2024',
    type: 'F1',
    tax: '21.00',
    total: '121.1',
    at: '2024-01-01T19:20:30+01:00',
  };
  expect(huellaOfAlta({ ...of, total: '121.10' }, '')).not.toBe(huellaOfAlta(of, ''));
  expect(huellaOfAlta({ ...of, number: ' A1 ' }, '')).toBe(huellaOfAlta(of, ''));
});
