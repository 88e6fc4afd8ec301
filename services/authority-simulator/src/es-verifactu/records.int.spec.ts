import { serveSimulator, type ServedSimulator } from '../testing/served.ts';
import { tag, tags, VerifactuClient, type Fields, type Line } from '../testing/verifactu-client.ts';

let served: ServedSimulator;
let client: VerifactuClient;
let installations = 0;

beforeAll(async () => {
  served = await serveSimulator('es-verifactu');
});
beforeEach(() => {
  served.clock.set('2026-11-10T10:00:00Z');
  client = new VerifactuClient(served, '89890001K', String((installations += 1)));
});
afterAll(() => served.close());

let numbers = 0;
const number = (): string => `R-${(numbers += 1)}`;
const lineOf = async (over: Fields, id: { number?: string; day?: string } = {}): Promise<Line | undefined> =>
  (await client.send([client.alta(over, { number: number(), ...id })])).lines[0];
const id = (IDEmisorFactura: string, NumSerieFactura: string, FechaExpedicionFactura = '10-11-2026'): string =>
  tags({ IDEmisorFactura, NumSerieFactura, FechaExpedicionFactura });
const corrected = { Desglose: undefined, CuotaTotal: '-21.00', ImporteTotal: '-121.00' };
const original = (): string => tag('IDFacturaRectificada', id('89890001K', 'INV-1'));

test('a sending gets a CSV, the time to wait and a line for each record, which are in the ledger', async () => {
  const records = [
    client.alta({}, { number: 'A-1' }),
    client.alta({}, { number: 'R&D/2' }),
    client.alta({ RefExterna: 'ours' }, { number: 'A-3' }),
  ];
  const reply = await client.send(records);
  expect(reply).toMatchObject({
    ...{ status: 200, state: 'Correcto', csv: expect.stringMatching(/^A-[0-9A-F]{14}$/), wait: 60 },
    lines: ['A-1', 'R&amp;D/2', 'A-3'].map((sent) => ({ number: sent, state: 'Correcto', code: undefined })),
  });
  const { data } = (await served.operate('GET', '/ledger?authority=es-verifactu')).body as { data: object[] };
  expect(data.slice(-3)).toMatchObject(
    records.map(({ number, hash }) => ({ tax_id: '89890001K', number, hash, code: reply.csv, state: 'Correcta', late: false })),
  );
});

test('records are accepted one by one', async () => {
  const reply = await client.send([
    client.alta({ DescripcionOperacion: 'Replaced: \uFFFD' }, { number: number() }),
    client.alta({ TipoFactura: 'R1' }, { number: number() }),
    client.alta({ Huella: 'A'.repeat(64) }, { number: number() }),
  ]);
  expect(reply.state).toBe('ParcialmenteCorrecto');
  expect(reply.lines).toMatchObject([
    { state: 'Correcto' },
    { state: 'Incorrecto', code: 1114 },
    { state: 'AceptadoConErrores', code: 2000 },
  ]);
});

test('a sending without an accepted record has neither a CSV nor DatosPresentacion', async () => {
  const reply = await client.send([client.alta({ TipoFactura: 'R1' }, { number: number() })]);
  expect(reply).toMatchObject({ status: 200, state: 'Incorrecto', csv: undefined, wait: 60 });
  expect(reply.text).not.toContain('DatosPresentacion');
});

describe('a record is refused', () => {
  const cases: [string, number, () => Promise<Line | undefined>][] = [
    ['of another issuer', 1108, () => lineOf({ IDFactura: id('B12345674', number()) })],
    ['with a number of other characters', 1287, () => lineOf({}, { number: 'A=1' })],
    ['with a number that is not ASCII', 1130, () => lineOf({}, { number: 'Añ1' })],
    ['of a day ahead', 1112, () => lineOf({}, { day: '11-11-2026' })],
    ['of a day before the law', 1152, () => lineOf({}, { day: '27-10-2024' })],
    ['of a day that does not exist', 1145, () => lineOf({}, { day: '31-02-2026' })],
    ['with fractions of a second', 1244, () => lineOf({ FechaHoraHusoGenRegistro: '2026-11-10T11:00:00.123+01:00' })],
    ['with another offset', 1244, () => lineOf({ FechaHoraHusoGenRegistro: '2026-11-10T11:00:00+0100' })],
    ['of an unknown type', 1106, () => lineOf({ TipoFactura: 'F9' })],
    ['with an amount that is none', 1267, () => lineOf({ ImporteTotal: '121,00' })],
    ['with RechazoPrevio=X alone', 1153, () => lineOf({ RechazoPrevio: 'X' })],
    ['with RechazoPrevio=S alone', 1161, () => lineOf({ RechazoPrevio: 'S' })],
    ['as corrective without its kind', 1114, () => lineOf({ TipoFactura: 'R1' })],
    ['with the kind of a corrective', 1115, () => lineOf({ TipoRectificativa: 'I' })],
    ['with originals, but no corrective', 1117, () => lineOf({ FacturasRectificadas: original() })],
    [
      'with substituted invoices, but no F3',
      1116,
      () => lineOf({ FacturasSustituidas: tag('IDFacturaSustituida', id('89890001K', 'INV-1')) }),
    ],
    ['as substitution without its amounts', 1118, () => lineOf({ TipoFactura: 'R1', TipoRectificativa: 'S' })],
    [
      'with amounts of a substitution',
      1119,
      () => lineOf({ ImporteRectificacion: tags({ BaseRectificada: '1.00', CuotaRectificada: '0.21' }) }),
    ],
    ['of an operation 20 years ago', 1134, () => lineOf({ FechaOperacion: '01-01-2006' })],
    ['of an operation ahead', 1146, () => lineOf({ FechaOperacion: '12-11-2026' })],
    ['without a recipient', 1189, () => lineOf({ Destinatarios: undefined })],
    ['simplified with a recipient', 1190, () => lineOf({ TipoFactura: 'F2' })],
    [
      'simplified of more than 3,000 €',
      1150,
      () =>
        lineOf({
          TipoFactura: 'F2',
          Destinatarios: undefined,
          Desglose: client.detail({ BaseImponibleOimporteNoSujeto: '2500.00', CuotaRepercutida: '525.00' }),
          CuotaTotal: '525.00',
          ImporteTotal: '3025.00',
        }),
    ],
    [
      'of a large amount without Macrodato',
      1139,
      () =>
        lineOf({
          Desglose: client.detail({ BaseImponibleOimporteNoSujeto: '100000000.00', CuotaRepercutida: '21000000.00' }),
          CuotaTotal: '21000000.00',
          ImporteTotal: '121000000.00',
        }),
    ],
    ['with Macrodato of a small amount', 1138, () => lineOf({ Macrodato: 'S' })],
    ['by a third party without its name', 1186, () => lineOf({ EmitidaPorTerceroODestinatario: 'T' })],
    ['with a NIF that is none', 1123, () => lineOf({ Destinatarios: client.recipients('123456789X'.slice(0, 8) + '?') })],
    [
      'with another id without country',
      1111,
      () => lineOf({ Destinatarios: tag('IDDestinatario', tags({ NombreRazon: 'C', IDOtro: tags({ IDType: '03', ID: 'P1' }) })) }),
    ],
    [
      'with a VAT number that is none',
      1103,
      () => lineOf({ Destinatarios: tag('IDDestinatario', tags({ NombreRazon: 'C', IDOtro: tags({ IDType: '02', ID: 'DE123' }) })) }),
    ],
    ['with an unknown rate', 1124, () => lineOf({ Desglose: client.detail({ TipoImpositivo: '16' }) })],
    ['with a rate of another time', 1194, () => lineOf({ Desglose: client.detail({ TipoImpositivo: '5', CuotaRepercutida: '5.00' }) })],
    ['with a tax that is not of its base', 1142, () => lineOf({ Desglose: client.detail({ CuotaRepercutida: '40.00' }) })],
    ['with a tax of another sign', 1143, () => lineOf({ Desglose: client.detail({ CuotaRepercutida: '-21.00' }) })],
    ['exempt with a rate', 1238, () => lineOf({ Desglose: client.detail({ CalificacionOperacion: undefined, OperacionExenta: 'E1' }) })],
    ['of reverse charge with tax', 1198, () => lineOf({ Desglose: client.detail({ CalificacionOperacion: 'S2' }) })],
    ['not subject with a rate', 1237, () => lineOf({ Desglose: client.detail({ CalificacionOperacion: 'N1' }) })],
    ['without a regime', 1245, () => lineOf({ Desglose: client.detail({ ClaveRegimen: undefined }) })],
    ['exported under the general regime', 1199, () => lineOf({ Desglose: exempt('E2', '01') })],
    ['intra-community to a Spanish NIF', 1289, () => lineOf({ Desglose: exempt('E5', '01') })],
    ['with a system id of another form', 1177, () => lineOf({ SistemaInformatico: client.system({ IdSistemaInformatico: 'a1' }) })],
    ['with a hash of another kind', 1247, () => lineOf({ TipoHuella: '02' })],
    [
      'under an agreement that does not exist',
      1128,
      () => lineOf({ SistemaInformatico: client.system(), NumRegistroAcuerdoFacturacion: 'X' }),
    ],
  ];
  const exempt = (OperacionExenta: string, ClaveRegimen: string): string =>
    client.detail({
      CalificacionOperacion: undefined,
      OperacionExenta,
      ClaveRegimen,
      TipoImpositivo: undefined,
      CuotaRepercutida: undefined,
    });

  test.each(cases.filter(([, code]) => code !== 1128))('%s: %i', async (_what, code, send) => {
    expect(await send()).toMatchObject({ state: 'Incorrecto', code });
  });

  test('and accepted where the rule holds', async () => {
    const accepted: Fields[] = [
      { FechaHoraHusoGenRegistro: '2026-11-10T10:00:00Z' },
      { ImporteTotal: '+121' },
      { TipoFactura: 'F2', Destinatarios: undefined },
      {
        TipoFactura: 'R1',
        TipoRectificativa: 'I',
        FacturasRectificadas: original(),
        ...corrected,
        Desglose: client.detail({ BaseImponibleOimporteNoSujeto: '-100.00', CuotaRepercutida: '-21.00' }),
      },
      { Desglose: exempt('E2', '02'), CuotaTotal: '0', ImporteTotal: '100.00' },
      {
        Desglose: client.detail({ CalificacionOperacion: 'S2', TipoImpositivo: '0', CuotaRepercutida: '0' }),
        CuotaTotal: '0.00',
        ImporteTotal: '100',
      },
      {
        Destinatarios: tag('IDDestinatario', tags({ NombreRazon: 'C', IDOtro: tags({ IDType: '02', ID: 'DE123456789' }) })),
        Desglose: exempt('E5', '01'),
        CuotaTotal: '0',
        ImporteTotal: '100',
      },
      {
        Desglose: client.detail({ TipoRecargoEquivalencia: '5.2', CuotaRecargoEquivalencia: '5.20' }),
        CuotaTotal: '26.20',
        ImporteTotal: '126.20',
      },
    ];
    for (const over of accepted) expect(await lineOf(over)).toMatchObject({ state: 'Correcto' });
  });
});

describe('a record is accepted with errors', () => {
  test.each<[string, number, () => Fields]>([
    ['with another hash', 2000, () => ({ Huella: 'B'.repeat(64) })],
    ['with another total', 2005, () => ({ ImporteTotal: '140.00' })],
    ['with another total of tax', 2006, () => ({ CuotaTotal: '40.00' })],
    ['of a time 5 minutes ago', 2004, () => ({ FechaHoraHusoGenRegistro: '2026-11-10T10:55:00+01:00' })],
    ['of a time 5 minutes ahead', 2004, () => ({ FechaHoraHusoGenRegistro: '2026-11-10T11:05:00+01:00' })],
    ['under IPSI without a regime', 2009, () => ({ Desglose: client.detail({ Impuesto: '02', ClaveRegimen: undefined }) })],
  ])('%s: %i', async (_what, code, over) => {
    expect(await lineOf(over())).toMatchObject({ state: 'AceptadoConErrores', code });
  });

  test('of a recipient that is unknown to the census', async () => {
    await served.operate('POST', '/taxpayers', { authority: 'es-verifactu', tax_id: 'A00000000', known: false });
    expect(await lineOf({ Destinatarios: client.recipients('A00000000') })).toMatchObject({ state: 'AceptadoConErrores', code: 2001 });
  });

  test('as a first record again', async () => {
    await lineOf({});
    expect(await lineOf({ Encadenamiento: tag('PrimerRegistro', 'S') })).toMatchObject({ state: 'AceptadoConErrores', code: 2007 });
  });

  test('with a link that is no hash', async () => {
    const link = (hash: string): string => tag('RegistroAnterior', id('89890001K', 'INV-1') + tag('Huella', hash));
    expect(await lineOf({ Encadenamiento: link('A1') })).toMatchObject({ code: 2002 });
    expect(await lineOf({ Encadenamiento: link('a'.repeat(64)) })).toMatchObject({ code: 2003 });
  });

  test('not where it is late in a sending that says so', async () => {
    const over = { FechaHoraHusoGenRegistro: '2026-11-10T08:00:00+01:00' };
    const [line] = (await client.send([client.alta(over, { number: number() })], { late: true })).lines;
    expect(line).toMatchObject({ state: 'Correcto' });
  });
});

describe('the table of operations', () => {
  const send = async (over: Fields, sent = number()): Promise<Line | undefined> =>
    (await client.send([client.alta(over, { number: sent })])).lines[0];
  const annul = async (sent: string, over: Fields = {}): Promise<Line | undefined> =>
    (await client.send([client.annulment({ number: sent, day: client.day() }, over)])).lines[0];
  const mended = { Subsanacion: 'S' };
  const again = { Subsanacion: 'S', RechazoPrevio: 'X' };
  const refusedBefore = { Subsanacion: 'S', RechazoPrevio: 'S' };

  test('where nothing is registered', async () => {
    expect(await send(again)).toMatchObject({ state: 'Correcto' });
    expect(await send(mended)).toMatchObject({ code: 3002 });
    expect(await send(refusedBefore)).toMatchObject({ code: 3002 });
    expect(await annul(number())).toMatchObject({ code: 3002 });
    expect(await annul(number(), { RechazoPrevio: 'S' })).toMatchObject({ code: 3002 });
    expect(await annul(number(), { SinRegistroPrevio: 'S' })).toMatchObject({ state: 'Correcto' });
    expect(await annul(number(), { SinRegistroPrevio: 'S', RechazoPrevio: 'S' })).toMatchObject({ state: 'Correcto' });
  });

  test('where an alta is registered', async () => {
    const sent = number();
    await send({}, sent);
    expect(await send({}, sent)).toMatchObject({ code: 3000, duplicate: 'Correcta' });
    expect(await send(again, sent)).toMatchObject({ code: 3000 });
    expect(await send(mended, sent)).toMatchObject({ state: 'Correcto' });
    expect(await send(refusedBefore, sent)).toMatchObject({ state: 'Correcto' });
    expect(await annul(sent, { SinRegistroPrevio: 'S' })).toMatchObject({ code: 3000 });
    expect(await annul(sent)).toMatchObject({ state: 'Correcto' });
  });

  test('where an annulment is registered', async () => {
    const sent = number();
    await send({}, sent);
    const annulment = client.annulment({ number: sent, day: client.day() });
    expect((await client.send([annulment])).lines).toMatchObject([{ state: 'Correcto' }]);
    expect((await client.send([annulment])).lines).toMatchObject([{ code: 3001 }]);
    expect(await send({}, sent)).toMatchObject({ code: 3000, duplicate: 'Anulada' });
    served.clock.set('2026-11-10T10:00:30Z');
    expect(await annul(sent)).toMatchObject({ state: 'Correcto' });
    expect(await send(mended, sent)).toMatchObject({ state: 'Correcto' });
    expect(await send({}, sent)).toMatchObject({ code: 3000, duplicate: 'Correcta' });
  });
});
