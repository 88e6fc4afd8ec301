import { spanishService } from '../testing/spanish-service.ts';
import { tag, tags, VerifactuClient } from '../testing/verifactu-client.ts';

const spain = spanishService();

const issuer = (NIF: string): string => tag('ObligadoEmision', tags({ NombreRazon: 'Issuer', NIF }));

describe('a sending is refused whole', () => {
  test.each<[string, number, () => Promise<{ faultCode: number | undefined }>]>([
    [
      'without a field',
      4102,
      () =>
        spain.client.send([{ ...spain.client.alta(), xml: spain.client.alta().xml.replace(/<sf:TipoFactura>.*?<\/sf:TipoFactura>/, '') }]),
    ],
    [
      'with fields in another order',
      4102,
      () =>
        spain.client.send(
          [spain.client.alta({ RefExterna: undefined, Tercero: undefined, IDVersion: '1.0' })].map((sent) => ({
            ...sent,
            xml: sent.xml.replace(/(<sf:CuotaTotal>.*?<\/sf:CuotaTotal>)(<sf:ImporteTotal>.*?<\/sf:ImporteTotal>)/, '$2$1'),
          })),
        ),
    ],
    ['without a record', 4102, () => spain.client.send([])],
    ['of more than 1,000 records', 4114, () => spain.client.send(Array.from({ length: 1_001 }, () => spain.client.alta()))],
    ['whose issuer has no NIF', 4116, () => spain.client.send([spain.client.alta()], { header: issuer('12345678?') })],
    [
      'as an answer to a demand',
      4126,
      () =>
        spain.client.send([spain.client.alta()], {
          header: issuer(spain.client.nif) + tag('RemisionRequerimiento', tag('RefRequerimiento', '1')),
        }),
    ],
    [
      'with a mark that is none',
      4121,
      () =>
        spain.client.send([spain.client.alta()], { header: issuer(spain.client.nif) + tag('RemisionVoluntaria', tag('Incidencia', 'X')) }),
    ],
    [
      'that ends in another year',
      4120,
      () =>
        spain.client.send([spain.client.alta()], {
          header: issuer(spain.client.nif) + tag('RemisionVoluntaria', tag('FechaFinVeriFactu', '31-12-2020')),
        }),
    ],
    ['that is empty', 4138, () => spain.client.post('')],
    ['that is no XML', 4103, () => spain.client.post('{}')],
    ['with another element', 4118, () => spain.client.post('<a/>')],
    ['with a character that XML does not allow', 4103, () => spain.client.post('<a>\uFFFF</a>')],
    ['with a document type', 4103, () => spain.client.post('<!DOCTYPE a><a/>')],
  ])('%s: %i', async (_what, faultCode, send) => {
    expect(await send()).toMatchObject({ status: 500, fault: 'Client', faultCode });
    expect((await spain.client.query()).text).toContain('SinDatos');
  });

  test('of an issuer that is unknown to the census', async () => {
    await spain.served.operate('POST', '/taxpayers', { authority: 'es-verifactu', tax_id: spain.client.nif, known: false });
    expect(await spain.client.send([spain.client.alta()])).toMatchObject({ faultCode: 4104 });
  });

  test('by GET', async () => {
    const url = `http://${spain.served.simulator.addresses['es-verifactu']}/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP`;
    expect(await (await fetch(url)).text()).toContain('Codigo[4135]');
  });
});

describe('by TLS', () => {
  const certificate = async (fields: object) => {
    const { body } = await spain.served.operate('POST', '/certificates', { authority: 'es-verifactu', ...fields });
    const { certificate_pem, key_pem } = body as { certificate_pem: string; key_pem: string };
    return { cert: certificate_pem, key: key_pem };
  };
  let ca: string;
  beforeAll(async () => {
    const { data } = (await spain.served.operate('GET', '/authorities')).body as { data: { trust: string }[] };
    ca = data[0]?.trust ?? '';
  });

  test('the issuer, its representative and who is declared to represent it may send', async () => {
    const own = await certificate({ tax_id: spain.client.nif });
    expect(await spain.client.postSecurely([spain.client.alta()], { ca, ...own })).toMatchObject({ status: 200, state: 'Correcto' });
    const other = await certificate({ tax_id: 'B99999999' });
    expect(await spain.client.postSecurely([spain.client.alta()], { ca, ...other })).toMatchObject({ status: 500, faultCode: 4112 });
    const header = issuer(spain.client.nif) + tag('Representante', tags({ NombreRazon: 'Other', NIF: 'B99999999' }));
    expect(await spain.client.postSecurely([spain.client.alta()], { ca, ...other }, header)).toMatchObject({ state: 'Correcto' });
    await spain.served.operate('POST', '/taxpayers', { authority: 'es-verifactu', tax_id: 'B99999999', represents: [spain.client.nif] });
    expect(await spain.client.postSecurely([spain.client.alta()], { ca, ...other })).toMatchObject({ state: 'Correcto' });
    const { data } = (await spain.served.operate('GET', '/wire?authority=es-verifactu&limit=500')).body as {
      data: { client_certificate: string | null }[];
    };
    expect(data.at(-1)?.client_certificate).toBe(other.cert.replace(/-----[^-]+-----|\s/g, ''));
  });

  test.each([
    ['no certificate', {}],
    ['an expired certificate', { days: -1 }],
    ['a revoked certificate', { revoked: true }],
  ])('%s is refused', async (what, fields) => {
    const own = what === 'no certificate' ? {} : await certificate({ tax_id: spain.client.nif, ...fields });
    expect(await spain.client.postSecurely([spain.client.alta()], { ca, ...own })).toMatchObject({ status: 403 });
  });
});

describe('a chain', () => {
  const chain = async () => {
    const { data } = (await spain.served.operate('GET', '/chains?authority=es-verifactu&limit=1000')).body as {
      data: { chain: string; records: number; breaks: object[] }[];
    };
    return data.find((one) => one.chain.startsWith(spain.client.nif));
  };

  test('goes on over a record that was refused, and repeated sendings do not count', async () => {
    const records = [spain.client.alta(), spain.client.alta({ TipoFactura: 'R1' }), spain.client.alta()];
    await spain.client.send(records);
    await spain.client.send(records);
    await spain.client.send([spain.client.annulment(records[0] ?? { number: '', day: '' })]);
    expect(await chain()).toMatchObject({ records: 4, breaks: [] });
  });

  test('that is broken is taken, and shown to operators', async () => {
    const [first, second, third] = [spain.client.alta(), spain.client.alta(), spain.client.alta()];
    await spain.client.send([first, third]);
    await spain.client.send([second]);
    await spain.client.send([spain.client.alta({ Encadenamiento: tag('PrimerRegistro', 'S') })]);
    await spain.client.send([spain.client.alta({ FechaHoraHusoGenRegistro: '2026-11-10T10:58:00+01:00' })]);
    expect((await chain())?.breaks).toMatchObject([
      { number: third.number, why: 'other before' },
      { number: second.number, why: 'other before' },
      { why: 'first again' },
      { why: 'earlier than before' },
    ]);
  });

  test('has the pace of its issuer: what comes too soon is taken and written down', async () => {
    for (const at of ['10:00:00', '10:00:59', '10:02:00']) {
      spain.served.clock.set(`2026-11-10T${at}Z`);
      expect(await spain.client.send([spain.client.alta()])).toMatchObject({ state: 'Correcto' });
    }
    const { meta } = (await spain.served.operate('GET', '/chains?authority=es-verifactu&limit=1000')).body as {
      meta: { pace: { issuer: string }[] };
    };
    expect(meta.pace.find((one) => one.issuer === spain.client.nif)).toMatchObject({ sendings: 3, tooSoon: 1 });
  });
});

describe('a query', () => {
  const hashOf = (text: string): string[] => [...text.matchAll(/<sfLRRC:Huella>([^<]*)</g)].map(([, hash = '']) => hash);

  test('finds a record by its number with its hash, state and sending', async () => {
    const [one, two] = [spain.client.alta(), spain.client.alta({ Huella: 'C'.repeat(64) })];
    await spain.client.send([one, two]);
    const reply = await spain.client.query({ number: one.number });
    expect(hashOf(reply.text)).toEqual([one.hash]);
    expect(reply.text).toMatch(/<sf:IdPeticion>20261110\d{12}<.*<sfLRRC:EstadoRegistro>Correcto</);
    expect((await spain.client.query({ number: two.number })).text).toMatch(
      /<sfLRRC:EstadoRegistro>AceptadoConErrores<\/sfLRRC:EstadoRegistro><sfLRRC:CodigoErrorRegistro>2000/,
    );
    expect((await spain.client.query({ number: one.number, day: '09-11-2026' })).text).toContain('SinDatos');
    expect((await spain.client.query({ number: one.number, period: '10-10-2026' })).text).toContain('SinDatos');
    await spain.client.send([spain.client.annulment(one)]);
    expect((await spain.client.query({ number: one.number })).text).toContain('<sfLRRC:EstadoRegistro>Anulado<');
  });

  test('finds the records of one installation', async () => {
    const other = new VerifactuClient(spain.served, spain.client.nif, '2');
    const [one, two] = [spain.client.alta({}, { number: 'one' }), other.alta({}, { number: 'two' })];
    await spain.client.send([one, two]);
    expect(hashOf((await spain.client.query()).text)).toEqual([one.hash, two.hash]);
    expect(hashOf((await spain.client.query({ system: other.system() })).text)).toEqual([two.hash]);
  });

  test('shows the system and the name of the issuer where it asks for them', async () => {
    await spain.client.send([spain.client.alta()]);
    const more =
      '<sfLRC:DatosAdicionalesRespuesta><sfLRC:MostrarNombreRazonEmisor>S</sfLRC:MostrarNombreRazonEmisor><sfLRC:MostrarSistemaInformatico>S</sfLRC:MostrarSistemaInformatico></sfLRC:DatosAdicionalesRespuesta>';
    expect((await spain.client.query()).text).not.toMatch(/NombreRazonEmisor|SistemaInformatico>/);
    expect((await spain.client.query({ more })).text).toMatch(
      /<sfLRRC:NombreRazonEmisor>Issuer<.*<sfLRRC:SistemaInformatico><sf:NombreRazon>/,
    );
  });

  test('of a period goes on behind the record that it names', async () => {
    const records = [spain.client.alta(), spain.client.alta(), spain.client.alta()];
    await spain.client.send(records);
    const { number = '', day = '' } = records[0] ?? {};
    const after = `<sf:IDEmisorFactura>${spain.client.nif}</sf:IDEmisorFactura><sf:NumSerieFactura>${number}</sf:NumSerieFactura><sf:FechaExpedicionFactura>${day}</sf:FechaExpedicionFactura>`;
    const { text } = await spain.client.query({ after });
    expect(hashOf(text)).toEqual(records.slice(1).map(({ hash }) => hash));
    expect(text).toContain('<sfLRRC:IndicadorPaginacion>N<');
  });

  test('sees the same after a restart', async () => {
    await spain.client.send([spain.client.alta()]);
    const { text } = await spain.client.query();
    await spain.served.restart();
    expect((await spain.client.query()).text).toBe(text);
  });
});

test('two senders of one record at once register it once', async () => {
  const record = spain.client.alta();
  const replies = await Promise.all(Array.from({ length: 6 }, () => spain.client.send([record])));
  expect(replies.filter(({ state }) => state === 'Correcto')).toHaveLength(1);
  expect(replies.filter(({ lines }) => lines[0]?.code === 3000)).toHaveLength(5);
});
