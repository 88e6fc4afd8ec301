import { createHash } from 'node:crypto';
import { Agent, request } from 'node:https';
import type { ServedSimulator } from './served.ts';

const BASE = 'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/';
const PATH = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP';
const NAMESPACES = `xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:sfLR="${BASE}SuministroLR.xsd" xmlns:sf="${BASE}SuministroInformacion.xsd" xmlns:sfLRC="${BASE}ConsultaLR.xsd"`;

export interface Line {
  number: string;
  state: string;
  code: number | undefined;
  duplicate: string | undefined;
}

export interface VerifactuReply {
  status: number;
  state: string | undefined;
  csv: string | undefined;
  wait: number | undefined;
  lines: Line[];
  /** Of a SOAP fault: its class and the code in its text. */
  fault: string | undefined;
  faultCode: number | undefined;
  text: string;
}

export interface Sent {
  xml: string;
  number: string;
  day: string;
  hash: string;
  generated: string;
}

/** Texts by the names of elements; undefined leaves one out, a list is written as it is. */
export type Fields = Record<string, string | undefined>;

const tag = (name: string, text: string | undefined): string =>
  text === undefined ? '' : `<sf:${name}>${text.startsWith('<') ? text : text.replaceAll('&', '&amp;')}</sf:${name}>`;
const tags = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, text]) => tag(name, text))
    .join('');
const first = (text: string, name: string): string | undefined => new RegExp(`<[\\w]+:${name}>([^<]*)<`).exec(text)?.[1];
const spanish = (at: number): Date => new Date(at + 3_600_000);

/** A billing system with one chain. Tests run in winter: local time is an hour ahead of UTC. */
export class VerifactuClient {
  readonly exchanged: string[] = [];
  private last: Sent | undefined;
  private numbers = 0;

  constructor(
    private readonly served: ServedSimulator,
    readonly nif = '89890001K',
    readonly installation = '1',
  ) {}

  time(): string {
    return `${spanish(this.served.clock.now()).toISOString().slice(0, 19)}+01:00`;
  }

  day(): string {
    return spanish(this.served.clock.now()).toISOString().slice(0, 10).split('-').reverse().join('-');
  }

  detail(over: Fields = {}): string {
    return tag(
      'DetalleDesglose',
      tags({
        ...{ Impuesto: '01', ClaveRegimen: '01', CalificacionOperacion: 'S1', OperacionExenta: undefined, TipoImpositivo: '21' },
        ...{ BaseImponibleOimporteNoSujeto: '100.00', CuotaRepercutida: '21.00', ...over },
      }),
    );
  }

  recipients(...numbers: string[]): string {
    return numbers.map((number) => tag('IDDestinatario', tags({ NombreRazon: 'Customer', NIF: number }))).join('');
  }

  system(over: Fields = {}): string {
    return tags({
      ...{ NombreRazon: 'Producer', NIF: 'B12345674', NombreSistemaInformatico: 'System', IdSistemaInformatico: '01', Version: '1.0' },
      ...{
        NumeroInstalacion: this.installation,
        TipoUsoPosibleSoloVerifactu: 'S',
        TipoUsoPosibleMultiOT: 'S',
        IndicadorMultiplesOT: 'N',
        ...over,
      },
    });
  }

  /** An alta that continues the chain, unless `over` says another Encadenamiento. `Huella`: the right one by default. */
  alta(over: Fields = {}, { number = `INV-${(this.numbers += 1)}`, day = this.day() }: { number?: string; day?: string } = {}): Sent {
    const fields: Fields = {
      IDFactura: tags({ IDEmisorFactura: this.nif, NumSerieFactura: number, FechaExpedicionFactura: day }),
      ...{ RefExterna: undefined, NombreRazonEmisor: 'Issuer', Subsanacion: undefined, RechazoPrevio: undefined, TipoFactura: 'F1' },
      ...{ TipoRectificativa: undefined, FacturasRectificadas: undefined, FacturasSustituidas: undefined, ImporteRectificacion: undefined },
      ...{ FechaOperacion: undefined, DescripcionOperacion: 'Goods', FacturaSimplificadaArt7273: undefined },
      ...{
        FacturaSinIdentifDestinatarioArt61d: undefined,
        Macrodato: undefined,
        EmitidaPorTerceroODestinatario: undefined,
        Tercero: undefined,
      },
      ...{
        Destinatarios: this.recipients('B12345674'),
        Cupon: undefined,
        Desglose: this.detail(),
        CuotaTotal: '21.00',
        ImporteTotal: '121.00',
      },
      ...over,
    };
    return this.linked('RegistroAlta', { IDVersion: '1.0', ...fields }, over, { number, day, kind: '' });
  }

  annulment({ number, day }: Pick<Sent, 'number' | 'day'>, over: Fields = {}): Sent {
    const fields: Fields = {
      ...{
        IDVersion: '1.0',
        IDFactura: tags({ IDEmisorFacturaAnulada: this.nif, NumSerieFacturaAnulada: number, FechaExpedicionFacturaAnulada: day }),
      },
      ...{ RefExterna: undefined, SinRegistroPrevio: undefined, RechazoPrevio: undefined, ...over },
    };
    return this.linked('RegistroAnulacion', fields, over, { number, day, kind: 'Anulada' });
  }

  private linked(name: string, fields: Fields, over: Fields, { number, day, kind }: { number: string; day: string; kind: string }): Sent {
    const generated = over['FechaHoraHusoGenRegistro'] ?? this.time();
    const before = this.last;
    const previous =
      before &&
      tags({ IDEmisorFactura: this.nif, NumSerieFactura: before.number, FechaExpedicionFactura: before.day, Huella: before.hash });
    const link = over['Encadenamiento'] ?? (previous ? tag('RegistroAnterior', previous) : tag('PrimerRegistro', 'S'));
    const { TipoFactura, CuotaTotal, ImporteTotal } = fields;
    const text = [
      ...[`IDEmisorFactura${kind}=${this.nif}`, `NumSerieFactura${kind}=${number}`, `FechaExpedicionFactura${kind}=${day}`],
      ...(kind === '' ? [`TipoFactura=${TipoFactura}`, `CuotaTotal=${CuotaTotal}`, `ImporteTotal=${ImporteTotal}`] : []),
      ...[`Huella=${first(link, 'Huella') ?? ''}`, `FechaHoraHusoGenRegistro=${generated}`],
    ].join('&');
    const hash = over['Huella'] ?? createHash('sha256').update(text).digest('hex').toUpperCase();
    const {
      Encadenamiento: _link,
      SistemaInformatico = this.system(),
      FechaHoraHusoGenRegistro: _time,
      TipoHuella = '01',
      Huella: _hash,
      ...own
    } = fields;
    const xml = tag(
      name,
      tags({ ...own, Encadenamiento: link, SistemaInformatico, FechaHoraHusoGenRegistro: generated, TipoHuella, Huella: hash }),
    );
    const sent = { xml, number, day, hash, generated };
    this.last = sent;
    return sent;
  }

  async send(
    records: readonly Sent[],
    { late = false, simulate, header }: { late?: boolean; simulate?: string; header?: string } = {},
  ): Promise<VerifactuReply> {
    const mark = late ? tag('RemisionVoluntaria', tag('Incidencia', 'S')) : '';
    const issuer = tag('ObligadoEmision', tags({ NombreRazon: 'Issuer', NIF: this.nif }));
    const body = `<sfLR:RegFactuSistemaFacturacion><sfLR:Cabecera>${header ?? issuer + mark}</sfLR:Cabecera>${records.map(({ xml }) => `<sfLR:RegistroFactura>${xml}</sfLR:RegistroFactura>`).join('')}</sfLR:RegFactuSistemaFacturacion>`;
    return this.post(this.envelope(body), simulate);
  }

  async query(
    over: { number?: string; day?: string; after?: string; more?: string; period?: string; system?: string } = {},
    simulate?: string,
  ): Promise<VerifactuReply> {
    const [, month = '', year = ''] = (over.period ?? this.day()).split('-');
    const filter = [
      `<sfLRC:PeriodoImputacion><sf:Ejercicio>${year}</sf:Ejercicio><sf:Periodo>${month}</sf:Periodo></sfLRC:PeriodoImputacion>`,
      over.number === undefined ? '' : `<sfLRC:NumSerieFactura>${over.number}</sfLRC:NumSerieFactura>`,
      over.day === undefined
        ? ''
        : `<sfLRC:FechaExpedicionFactura>${tag('FechaExpedicionFactura', over.day)}</sfLRC:FechaExpedicionFactura>`,
      over.system === undefined ? '' : `<sfLRC:SistemaInformatico>${over.system}</sfLRC:SistemaInformatico>`,
      over.after === undefined ? '' : `<sfLRC:ClavePaginacion>${over.after}</sfLRC:ClavePaginacion>`,
    ].join('');
    const header = `<sfLRC:Cabecera>${tag('IDVersion', '1.0')}${tag('ObligadoEmision', tags({ NombreRazon: 'Issuer', NIF: this.nif }))}</sfLRC:Cabecera>`;
    const body = `<sfLRC:ConsultaFactuSistemaFacturacion>${header}<sfLRC:FiltroConsulta>${filter}</sfLRC:FiltroConsulta>${over.more ?? ''}</sfLRC:ConsultaFactuSistemaFacturacion>`;
    return this.post(this.envelope(body), simulate);
  }

  private envelope(body: string): string {
    return `<?xml version="1.0" encoding="UTF-8"?>\n<soapenv:Envelope ${NAMESPACES}><soapenv:Header/><soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`;
  }

  async post(body: string, simulate?: string): Promise<VerifactuReply> {
    const response = await fetch(`http://${this.served.simulator.addresses['es-verifactu']}${PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml', ...(simulate === undefined ? {} : { 'x-simulate': simulate }) },
      body,
    });
    const text = await response.text();
    this.exchanged.push(body, text);
    return replyOf(response.status, text);
  }

  /** Posts by TLS with a client certificate. */
  postSecurely(
    records: readonly Sent[],
    { key, cert, ca }: { key?: string; cert?: string; ca: string },
    header?: string,
  ): Promise<VerifactuReply> {
    const issuer = header ?? tag('ObligadoEmision', tags({ NombreRazon: 'Issuer', NIF: this.nif }));
    const body = this.envelope(
      `<sfLR:RegFactuSistemaFacturacion><sfLR:Cabecera>${issuer}</sfLR:Cabecera>${records.map(({ xml }) => `<sfLR:RegistroFactura>${xml}</sfLR:RegistroFactura>`).join('')}</sfLR:RegFactuSistemaFacturacion>`,
    );
    const [host, port] = (this.served.simulator.addresses['es-verifactu'] ?? '').split(':');
    const agent = new Agent({ ca, ...(key && { key }), ...(cert && { cert }) });
    return new Promise((resolve, reject) => {
      const sent = request({ host, port, path: PATH, method: 'POST', agent, servername: 'localhost' }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => {
          agent.destroy();
          resolve(replyOf(response.statusCode ?? 0, text));
        });
      });
      sent.on('error', reject).end(body);
    });
  }
}

function replyOf(status: number, text: string): VerifactuReply {
  const lines = [...text.matchAll(/<sfR:RespuestaLinea>(.*?)<\/sfR:RespuestaLinea>/gs)].map(([, line = '']) => ({
    number: first(line, 'NumSerieFactura') ?? '',
    state: first(line, 'EstadoRegistro') ?? '',
    code: numberOf(/<sfR:CodigoErrorRegistro>(\d+)/.exec(line)?.[1]),
    duplicate: first(line, 'EstadoRegistroDuplicado'),
  }));
  return {
    ...{
      status,
      lines,
      text,
      state: first(text, 'EstadoEnvio'),
      csv: first(text, 'CSV'),
      wait: numberOf(first(text, 'TiempoEsperaEnvio')),
    },
    fault: /<faultcode>env:(\w+)</.exec(text)?.[1],
    faultCode: numberOf(/Codigo\[(\d+)\]/.exec(text)?.[1]),
  };
}

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
export { tag, tags };
