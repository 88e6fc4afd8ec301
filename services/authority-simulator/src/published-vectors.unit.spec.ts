import { createHash, createPublicKey, verify } from 'node:crypto';
import { expectedHash, recordOf } from './es-verifactu/record.ts';
import { parseXml, type Element } from './xml/element.ts';

const SF =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/SuministroInformacion.xsd';
const tag = (name: string, text: string): string => `<${name}>${text}</${name}>`;
const record = (
  name: string,
  suffix: string,
  fields: { number: string; previous: string; generated: string; amounts?: string },
): Element => {
  const id =
    tag(`IDEmisorFactura${suffix}`, '89890001K') +
    tag(`NumSerieFactura${suffix}`, fields.number) +
    tag(`FechaExpedicionFactura${suffix}`, '01-01-2024');
  const link = fields.previous === '' ? tag('PrimerRegistro', 'S') : tag('RegistroAnterior', tag('Huella', fields.previous));
  const xml = `<${name} xmlns="${SF}">${tag('IDFactura', id)}${fields.amounts ?? ''}${tag('Encadenamiento', link)}${tag('FechaHoraHusoGenRegistro', fields.generated)}</${name}>`;
  const parsed = parseXml(Buffer.from(xml), { depth: 10, elements: 100, tag: 1_000 });
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
};
const amounts = tag('TipoFactura', 'F1') + tag('CuotaTotal', '12.35') + tag('ImporteTotal', '123.45');
const hashOf = (element: Element): string => expectedHash(recordOf(element));

// AEAT, hash specification 0.1.2, chapter 6.
test('the hashes of AEAT’s three examples', () => {
  const first = hashOf(
    record('RegistroAlta', '', { number: '12345678/G33', previous: '', generated: '2024-01-01T19:20:30+01:00', amounts }),
  );
  expect(first).toBe('3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60');
  const second = hashOf(
    record('RegistroAlta', '', { number: '12345679/G34', previous: first, generated: '2024-01-01T19:20:35+01:00', amounts }),
  );
  expect(second).toBe('F7B94CFD8924EDFF273501B01EE5153E4CE8F259766F88CF6ACB8935802A2B97');
  const third = hashOf(
    record('RegistroAnulacion', 'Anulada', { number: '12345679/G34', previous: second, generated: '2024-01-01T19:20:40+01:00' }),
  );
  expect(third).toBe('177547C0D57AC74748561D054A9CEC14B4C4EA23D1BEFD6F2E69E3A388F90C68');
});

// General Directorate of Taxes, Fiscalization Service v07, 5.3.3, with the public half of the key that is printed there.
test('the issuer’s code of Albania’s example', () => {
  const n =
    '6zOR5ItNYHJNVMxljZtd_KQUyGIozbnIJ8IWqcEesktRV5FFHviQZsx2DpyeVQTu_Kel9Xh-Z6OZ6t5sADzfYnkwCrsb0FhT-01m2PIHaIUZhVtcppn0gxNWfgzW4sTvTyrYk6O1Kxymsx_rck_WRQB1mp68au8mgGMzGukHfL7Wk4jOU5VD3HlStBx1MjVW-soN5GUL_rWGaYun6Zsn9aYYEujbOhKvKDy8nOtNIS69dqddpiZAkvdh9sYdF1ElgXZhdmZsGURMm6OcePUPZO_HFKq7RlK6vIxXVI6l9O6tWt-Guhul8e0x2VTwbTdpwG4FpdfUTqUDK6cswHOhTQ';
  const signature = Buffer.from(
    '404ADDB017B2DE49B0A51340A991130E670F08BC2BE854EEAAE9C3F41A2C98E1D70545690F0EFBD13511A38DB1E36E086DC253C3519E7DAF896A418BFAFCCE9836B0759B2E84713B25C39C040E35608AC85141A65D623454BAF4D0E04D69A8D77505879C1DB9552542309A110B8CB2B9885C2236C3C6D65E695DFA4CA7D6258BD9EB0749A9EE09DA237C4E1B8EE39C3CAD3E32A21F807DA0908192DADA3F9D55C4FEB3C100F97D5AA81CFE157E1A90059111E6DCD2F2AD3DB9AAA202D084144E60ADED38988C384012967EF47B548135804EF2F4542DD0971E11AA392F048836D1C7DF9014F507B79258FA9B43AA14E32196D6127FD8154C24CE0CB374677D20',
    'hex',
  );
  const text = 'I12345678I|2019-06-12T17:05:43+02:00|9952|bb123bb123|cc123cc123|ss123ss123|99.01';
  expect(verify('sha256', Buffer.from(text), createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' }), signature)).toBe(true);
  expect(createHash('md5').update(signature).digest('hex').toUpperCase()).toBe('D04C13B4063D63A13B5D822A90178A7C');
});
