import { createHash } from 'node:crypto';

/** What identifies an invoice to the authority. `day`: dd-mm-yyyy. */
export interface IdFactura {
  nif: string;
  number: string;
  day: string;
}

/** Values of a registration that its hash covers, as they stand in the record: `121.1` and `121.10` differ. `at`: with offset, whole seconds. */
export interface HashedAlta extends IdFactura {
  type: string;
  tax: string;
  total: string;
  at: string;
}

const sha256 = (fields: readonly (readonly [string, string])[]): string =>
  createHash('sha256')
    .update(fields.map(([name, value]) => `${name}=${value.trim()}`).join('&'))
    .digest('hex')
    .toUpperCase();

/** The huella of a RegistroAlta (hash document 0.1.2, AEAT). `previous`: of the record before; empty for the first of its chain. */
export const huellaOfAlta = (of: HashedAlta, previous: string): string =>
  sha256([
    ['IDEmisorFactura', of.nif],
    ['NumSerieFactura', of.number],
    ['FechaExpedicionFactura', of.day],
    ['TipoFactura', of.type],
    ['CuotaTotal', of.tax],
    ['ImporteTotal', of.total],
    ['Huella', previous],
    ['FechaHoraHusoGenRegistro', of.at],
  ]);

/** The huella of a RegistroAnulacion. */
export const huellaOfAnulacion = (of: IdFactura & { at: string }, previous: string): string =>
  sha256([
    ['IDEmisorFacturaAnulada', of.nif],
    ['NumSerieFacturaAnulada', of.number],
    ['FechaExpedicionFacturaAnulada', of.day],
    ['Huella', previous],
    ['FechaHoraHusoGenRegistro', of.at],
  ]);

/** Where the customer can check the invoice (QR document 0.5.0): nothing in it comes from the authority. `page`: origin of the page. */
export const verificationUrl = (page: string, { nif, number, day, total }: IdFactura & { total: string }): string =>
  `${page}/wlpl/TIKE-CONT/ValidarQR?${[
    ['nif', nif],
    ['numserie', number],
    ['fecha', day],
    ['importe', total],
  ]
    .map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;
