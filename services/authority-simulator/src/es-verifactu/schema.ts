import { choice, elementsOf, open, sequence, shape, simple, type Check, type Particle, type Shape } from '../xml/schema.ts';
import { countries2 } from '../xml/codes.ts';
import { oneOf, pattern, text } from '../xml/values.ts';

const BASE = 'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/';
export const SF = `${BASE}SuministroInformacion.xsd`;
export const SF_LR = `${BASE}SuministroLR.xsd`;
export const SF_LRC = `${BASE}ConsultaLR.xsd`;
export const SF_R = `${BASE}RespuestaSuministro.xsd`;
export const SF_LRRC = `${BASE}RespuestaConsultaLR.xsd`;
const DS = 'http://www.w3.org/2000/09/xmldsig#';

/** Most records of one sending. */
export const MOST_RECORDS = 1_000;

const sf = elementsOf(SF);
const lr = elementsOf(SF_LR);
const lrc = elementsOf(SF_LRC);
/** Elements with a text. */
const value = (name: string, check: Check, min = 1): Particle => sf(name, simple(check), min);
const group = (...parts: Particle[]): Shape => shape({}, sequence(...parts));

const max = (length: number): Check => text(0, length);
const yesNo = oneOf('S', 'N');
const nif = text(9, 9);
const day = pattern(String.raw`\d{2}-\d{2}-\d{4}`);
const amount = pattern(String.raw`[+-]?\d{1,12}(\.\d{0,2})?`);
const rate = pattern(String.raw`\d{1,3}(\.\d{0,2})?`);
const number = text(1, 60);
const version = oneOf('1.0');
const regime = oneOf(...'01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20 21'.split(' '));

const otherId = group(
  value('CodigoPais', oneOf(...countries2), 0),
  value('IDType', oneOf('02', '03', '04', '05', '06', '07')),
  value('ID', max(20)),
);
const nifOrOther = choice(value('NIF', nif), sf('IDOtro', otherId));
const person = group(value('NombreRazon', max(120)), nifOrOther);
const spanish = group(value('NombreRazon', max(120)), value('NIF', nif));
const invoiceId = group(value('IDEmisorFactura', nif), value('NumSerieFactura', number), value('FechaExpedicionFactura', day));
const annulledId = group(
  value('IDEmisorFacturaAnulada', nif),
  value('NumSerieFacturaAnulada', number),
  value('FechaExpedicionFacturaAnulada', day),
);
const ids = (name: string): Shape => group(sf(name, invoiceId, 1, 1_000));

const link = shape(
  {},
  choice(
    value('PrimerRegistro', oneOf('S')),
    sf(
      'RegistroAnterior',
      group(
        value('IDEmisorFactura', nif),
        value('NumSerieFactura', max(60)),
        value('FechaExpedicionFactura', day),
        value('Huella', max(64)),
      ),
    ),
  ),
);
const system = group(
  value('NombreRazon', max(120)),
  nifOrOther,
  value('NombreSistemaInformatico', max(30)),
  value('IdSistemaInformatico', max(2)),
  value('Version', max(50)),
  value('NumeroInstalacion', max(100)),
  value('TipoUsoPosibleSoloVerifactu', yesNo),
  value('TipoUsoPosibleMultiOT', yesNo),
  value('IndicadorMultiplesOT', yesNo),
);
const detail = group(
  value('Impuesto', oneOf('01', '02', '03', '05'), 0),
  value('ClaveRegimen', regime, 0),
  choice(
    value('CalificacionOperacion', oneOf('S1', 'S2', 'N1', 'N2')),
    value('OperacionExenta', oneOf('E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8')),
  ),
  value('TipoImpositivo', rate, 0),
  value('BaseImponibleOimporteNoSujeto', amount),
  value('BaseImponibleACoste', amount, 0),
  value('CuotaRepercutida', amount, 0),
  value('TipoRecargoEquivalencia', rate, 0),
  value('CuotaRecargoEquivalencia', amount, 0),
);
/** The end of every record. Its time is judged by a control, which has a code of its own. */
const proof = [value('TipoHuella', oneOf('01')), value('Huella', max(64)), elementsOf(DS)('Signature', open, 0)];
const generated = value('FechaHoraHusoGenRegistro', text(1, 50));

export const alta: Shape = group(
  value('IDVersion', version),
  sf('IDFactura', invoiceId),
  value('RefExterna', max(60), 0),
  value('NombreRazonEmisor', max(120)),
  value('Subsanacion', yesNo, 0),
  value('RechazoPrevio', oneOf('N', 'S', 'X'), 0),
  value('TipoFactura', oneOf('F1', 'F2', 'R1', 'R2', 'R3', 'R4', 'R5', 'F3')),
  value('TipoRectificativa', oneOf('S', 'I'), 0),
  sf('FacturasRectificadas', ids('IDFacturaRectificada'), 0),
  sf('FacturasSustituidas', ids('IDFacturaSustituida'), 0),
  sf(
    'ImporteRectificacion',
    group(value('BaseRectificada', amount), value('CuotaRectificada', amount), value('CuotaRecargoRectificado', amount, 0)),
    0,
  ),
  value('FechaOperacion', day, 0),
  value('DescripcionOperacion', max(500)),
  value('FacturaSimplificadaArt7273', yesNo, 0),
  value('FacturaSinIdentifDestinatarioArt61d', yesNo, 0),
  value('Macrodato', yesNo, 0),
  value('EmitidaPorTerceroODestinatario', oneOf('D', 'T'), 0),
  sf('Tercero', person, 0),
  sf('Destinatarios', group(sf('IDDestinatario', person, 1, 1_000)), 0),
  value('Cupon', yesNo, 0),
  sf('Desglose', group(sf('DetalleDesglose', detail, 1, 12))),
  value('CuotaTotal', amount),
  value('ImporteTotal', amount),
  sf('Encadenamiento', link),
  sf('SistemaInformatico', system),
  generated,
  value('NumRegistroAcuerdoFacturacion', max(15), 0),
  value('IdAcuerdoSistemaInformatico', max(16), 0),
  ...proof,
);

export const annulment: Shape = group(
  value('IDVersion', version),
  sf('IDFactura', annulledId),
  value('RefExterna', max(60), 0),
  value('SinRegistroPrevio', yesNo, 0),
  value('RechazoPrevio', yesNo, 0),
  value('GeneradoPor', oneOf('E', 'D', 'T'), 0),
  sf('Generador', person, 0),
  sf('Encadenamiento', link),
  sf('SistemaInformatico', system),
  generated,
  ...proof,
);

const header = group(
  sf('ObligadoEmision', spanish),
  sf('Representante', spanish, 0),
  sf('RemisionVoluntaria', group(value('FechaFinVeriFactu', day, 0), value('Incidencia', yesNo, 0)), 0),
  sf('RemisionRequerimiento', group(value('RefRequerimiento', max(18)), value('FinRequerimiento', yesNo, 0)), 0),
);
/** A sending, without a look into its records: errors in them are those of a line. */
export const sending: Shape = group(
  lr('Cabecera', header),
  lr('RegistroFactura', shape({}, choice(sf('RegistroAlta', open), sf('RegistroAnulacion', open))), 1, MOST_RECORDS),
);

const askedSystem = group(
  value('NombreRazon', max(120)),
  nifOrOther,
  value('NombreSistemaInformatico', max(30), 0),
  value('IdSistemaInformatico', max(2)),
  value('Version', max(50), 0),
  value('NumeroInstalacion', max(100)),
  value('TipoUsoPosibleSoloVerifactu', yesNo, 0),
  value('TipoUsoPosibleMultiOT', yesNo, 0),
  value('IndicadorMultiplesOT', yesNo, 0),
);
const asked = (name: string, of: Shape, min = 0): Particle => lrc(name, of, min);
const askedValue = (name: string, check: Check, min = 0): Particle => lrc(name, simple(check), min);
export const consulta: Shape = group(
  asked(
    'Cabecera',
    group(
      value('IDVersion', version),
      choice(sf('ObligadoEmision', spanish, 0), sf('Destinatario', spanish, 0)),
      value('IndicadorRepresentante', oneOf('S'), 0),
    ),
    1,
  ),
  asked(
    'FiltroConsulta',
    group(
      asked('PeriodoImputacion', group(value('Ejercicio', pattern(String.raw`\d{4}`)), value('Periodo', pattern('0[1-9]|1[0-2]'))), 1),
      askedValue('NumSerieFactura', number),
      asked('Contraparte', person),
      asked(
        'FechaExpedicionFactura',
        shape(
          {},
          choice(
            value('FechaExpedicionFactura', day, 0),
            sf('RangoFechaExpedicion', group(value('Desde', day, 0), value('Hasta', day, 0)), 0),
          ),
        ),
      ),
      asked('SistemaInformatico', askedSystem),
      askedValue('RefExterna', max(60)),
      asked('ClavePaginacion', invoiceId),
    ),
    1,
  ),
  asked('DatosAdicionalesRespuesta', group(askedValue('MostrarNombreRazonEmisor', yesNo), askedValue('MostrarSistemaInformatico', yesNo))),
);
