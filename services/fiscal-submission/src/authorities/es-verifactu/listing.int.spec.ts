import { LISTING_BOUNDS, readListing } from './listing.ts';
import { FOUND, SF } from './sending.ts';

const MOST = 10_000;
const hashOf = (n: number): string => n.toString(16).toUpperCase().padStart(64, '0');
const idOf = (n: number): string =>
  `<s:IDEmisorFactura>89890001K</s:IDEmisorFactura><s:NumSerieFactura>INV-${n}</s:NumSerieFactura><s:FechaExpedicionFactura>01-03-2026</s:FechaExpedicionFactura>`;
const recordOf = (n: number): string =>
  `<f:RegistroRespuestaConsultaFactuSistemaFacturacion><f:IDFactura>${idOf(n)}</f:IDFactura><f:DatosRegistroFacturacion><f:DescripcionOperacion>${'x'.repeat(500)}</f:DescripcionOperacion><f:Encadenamiento><f:RegistroAnterior><s:Huella>${hashOf(n - 1)}</s:Huella></f:RegistroAnterior></f:Encadenamiento><f:Huella>${hashOf(n)}</f:Huella></f:DatosRegistroFacturacion></f:RegistroRespuestaConsultaFactuSistemaFacturacion>`;
const pageOf = (records: string, more: string): Buffer =>
  Buffer.from(
    `<?xml version="1.0"?><e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><f:RespuestaConsultaFactuSistemaFacturacion xmlns:f="${FOUND}" xmlns:s="${SF}"><f:IndicadorPaginacion>${more === '' ? 'N' : 'S'}</f:IndicadorPaginacion>${records}${more}</f:RespuestaConsultaFactuSistemaFacturacion></e:Body></e:Envelope>`,
  );
const read = (body: Buffer, status = 200) => readListing({ status, headers: {}, body });

test('a page has the 10,000 records of the authority, each with its own hash, and where the next begins', async () => {
  const records = Array.from({ length: MOST }, (_, n) => recordOf(n + 1)).join('');
  const body = pageOf(records, `<f:ClavePaginacion>${idOf(MOST)}</f:ClavePaginacion>`);
  expect(body.length).toBeGreaterThan(4 * 1024 * 1024);
  expect(body.length).toBeLessThan(LISTING_BOUNDS.mostBytes);
  const page = await read(body);
  expect(page.records).toHaveLength(MOST);
  expect(page.records.every(({ number, hash }, n) => number === `INV-${n + 1}` && hash === hashOf(n + 1))).toBe(true);
  expect(page.next).toBe(JSON.stringify(['89890001K', `INV-${MOST}`, '01-03-2026']));
});

test('a page without records is the last one', async () => {
  expect(await read(pageOf('', ''))).toEqual({ records: [], next: null });
});

test('what is no page, or is cut off among its records, is refused', async () => {
  await expect(read(Buffer.from('<html/>'), 503)).rejects.toThrow('The answer (503) is not one to a query.');
  const body = pageOf([1, 2, 3].map(recordOf).join(''), '');
  await expect(read(body.subarray(0, body.indexOf('INV-3')))).rejects.toThrow();
});
