import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { requests as requestsOfAlbania, NAMESPACE as ALBANIA } from './al-cis/schema.ts';
import { requests as requestsOfMontenegro } from './me-efi/schema.ts';
import { alta, annulment, consulta, sending } from './es-verifactu/schema.ts';
import { expectedHash, recordOf } from './es-verifactu/record.ts';
import { CisClient, element, isSigned, type CisAuthority } from './testing/cis-client.ts';
import { fullInvoices, fullRecords } from './testing/full-messages.ts';
import { mutationsOf } from './testing/mutations.ts';
import { publishedSchema, schemaFolder } from './testing/published-schemas.ts';
import { serveSimulator } from './testing/served.ts';
import { tag, tags, VerifactuClient } from './testing/verifactu-client.ts';
import { at, parseXml, type Element } from './xml/element.ts';
import { schemaErrorOf, type Shape } from './xml/schema.ts';
import { findSignature, signatureFlawOf } from './xml/signature.ts';
import { readCertificate } from './pki/certificate.ts';

// The schemas are an authority's and not ours to publish: FISCAL_XSD_DIR names a folder that has them.
const withSchemas = schemaFolder === undefined ? describe.skip : describe;

const bodyOf = (message: string): Element => {
  const envelope = parseXml(Buffer.from(message), { depth: 20, elements: 100_000, tag: 20_000 });
  if (typeof envelope === 'string') throw new Error(envelope);
  const [body] = at(envelope, 'Body')?.children ?? [];
  if (!body) throw new Error('the body is empty');
  return body;
};
const samples = (country: string): [string, string][] => {
  if (schemaFolder === undefined) return [['-', '']];
  const folder = join(schemaFolder, country, 'samples');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.xml'))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
};

/** Whether the simulator's own schema takes the message, as the published one does. */
function takes(message: string): boolean {
  const body = bodyOf(message);
  if (body.name === 'RegFactuSistemaFacturacion') {
    const records = body.children.filter(({ name }) => name === 'RegistroFactura').flatMap(({ children }) => children);
    return (
      !schemaErrorOf(body, sending) && records.every((record) => !schemaErrorOf(record, record.name === 'RegistroAlta' ? alta : annulment))
    );
  }
  if (body.name === 'ConsultaFactuSistemaFacturacion') return !schemaErrorOf(body, consulta);
  const shape = (body.namespace === ALBANIA ? requestsOfAlbania : requestsOfMontenegro)[body.name];
  return shape !== undefined && !schemaErrorOf({ ...body, children: body.children.filter((child) => child.name !== 'Signature') }, shape);
}
/** A sample with everything that the schema knows. */
function fullOf(country: 'al' | 'me' | 'es'): string {
  const name = country === 'es' ? '3-late-request.xml' : 'registerInvoice-noncash-request.xml';
  const message = new Map(samples(country)).get(name) ?? '';
  if (country !== 'es') return message.replace(/<Invoice .*<\/Invoice>/s, fullInvoices[country]);
  const [record, annulled] = [
    `<sf:RegistroAlta>${fullRecords.alta}</sf:RegistroAlta>`,
    `<sf:RegistroAnulacion>${fullRecords.annulment}</sf:RegistroAnulacion>`,
  ];
  const records = [record, annulled].map((one) => `<sfLR:RegistroFactura>${one}</sfLR:RegistroFactura>`).join('');
  return message.replace(/<sfLR:Cabecera>.*<\/sfLR:RegistroFactura>/s, `<sfLR:Cabecera>${fullRecords.header}</sfLR:Cabecera>${records}`);
}

const fullQuery = (): string => {
  const cabecera = `<sfLRC:Cabecera><sf:IDVersion>1.0</sf:IDVersion><sf:ObligadoEmision>${tags({ NombreRazon: 'N', NIF: '89890001K' })}</sf:ObligadoEmision><sf:IndicadorRepresentante>S</sf:IndicadorRepresentante></sfLRC:Cabecera>`;
  const more =
    '<sfLRC:DatosAdicionalesRespuesta><sfLRC:MostrarNombreRazonEmisor>S</sfLRC:MostrarNombreRazonEmisor><sfLRC:MostrarSistemaInformatico>N</sfLRC:MostrarSistemaInformatico></sfLRC:DatosAdicionalesRespuesta>';
  const query = `<sfLRC:ConsultaFactuSistemaFacturacion>${cabecera}<sfLRC:FiltroConsulta>${fullRecords.filter}</sfLRC:FiltroConsulta>${more}</sfLRC:ConsultaFactuSistemaFacturacion>`;
  return fullOf('es')
    .replace(/<sfLR:RegFactuSistemaFacturacion>.*<\/sfLR:RegFactuSistemaFacturacion>/s, query)
    .replace(
      'SuministroLR.xsd"',
      'SuministroLR.xsd" xmlns:sfLRC="https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/ConsultaLR.xsd"',
    );
};

/** Judged by controls: unique types of payment, and the time of a record. */
const byControls = ['PayMethod twice', 'Fee twice', 'FechaHoraHusoGenRegistro = '];

withSchemas('published schemas', () => {
  test.each<['al' | 'me' | 'es']>([['al'], ['me'], ['es']])(
    'of %s take and refuse the same changes of a message as the simulator',
    (country) => {
      const errorOf = publishedSchema(country);
      const requests = [
        ...samples(country).filter(([name]) => name.includes('request')),
        ['full', fullOf(country)] as const,
        ...(country === 'es' ? [['query', fullQuery()] as const] : []),
      ];
      expect(errorOf(fullOf(country))).toBeUndefined();
      const differing: string[] = [];
      let count = 0;
      for (const [sample, message] of requests)
        for (const { what, xml } of mutationsOf(message, ['Signature'])) {
          count += 1;
          if (byControls.some((one) => what.includes(one))) continue;
          const isTaken = errorOf(xml) === undefined;
          if (takes(xml) !== isTaken) differing.push(`${sample}: ${what} is ${isTaken ? 'taken' : 'refused'} by the published schema`);
        }
      expect([differing, count > 500]).toEqual([[], true]);
    },
  );

  describe.each<[CisAuthority, 'al' | 'me']>([
    ['al-cis', 'al'],
    ['me-efi', 'me'],
  ])('of %s', (authority, country) => {
    test('take every message that the simulator accepts, and its answers and faults', async () => {
      const served = await serveSimulator(authority);
      const client = await CisClient.open(served, authority);
      const till = (await client.registerTill()).code ?? '';
      await client.registerDeposit(till);
      const fields = client.invoice({ TCRCode: till });
      const method = authority === 'al-cis' ? { TypeOfInv: 'CASH' } : {};
      await client.registerInvoice(fields);
      await client.registerInvoice(client.invoice({ TCRCode: till, ...method }, 1), {
        parts: client.parts({ PayMethods: element('PayMethods', {}, element('PayMethod', { Type: 'BANKNOTE', Amt: '120.00' })) }),
      });
      await client.registerInvoice(fields, { header: { SubseqDelivType: 'SERVICE' } });
      await client.registerInvoice({ ...fields, IIC: 'A'.repeat(32) });
      const errorOf = publishedSchema(country);
      expect(client.exchanged.map(errorOf)).toEqual(client.exchanged.map(() => undefined));
      await served.close();
    });

    test.each(samples(country))('%s, a sample, has the shape and the signature that the simulator wants', (name, message) => {
      const body = bodyOf(message);
      const isRequest = name.includes('request');
      if (isRequest) {
        if (body.name === 'ConsultaFactuSistemaFacturacion') return !schemaErrorOf(body, consulta);
        const shape = (body.namespace === ALBANIA ? requestsOfAlbania : requestsOfMontenegro)[body.name];
        const unsigned = { ...body, children: body.children.filter((child) => child.name !== 'Signature') };
        expect(shape && schemaErrorOf(unsigned, shape)).toBeUndefined();
      }
      if (name === 'fault.xml') return;
      const signature = findSignature(body, isRequest ? 'Request' : 'Response');
      if (typeof signature === 'string') throw new Error(signature);
      const certificate = readCertificate(signature.certificate);
      expect(certificate && signatureFlawOf(body, signature, certificate.key)).toBeUndefined();
      expect(isSigned(message)).toBe(true);
    });
  });

  describe('of es-verifactu', () => {
    test('take every message that the simulator accepts, and its answers and faults', async () => {
      const served = await serveSimulator('es-verifactu');
      served.clock.set('2026-11-10T10:00:00Z');
      const client = new VerifactuClient(served);
      const first = client.alta({ RefExterna: 'ours' });
      const other = tag('IDDestinatario', tags({ NombreRazon: 'C', IDOtro: tags({ CodigoPais: 'US', IDType: '04', ID: 'X1' }) }));
      await client.send([
        first,
        client.alta({ Destinatarios: other }),
        client.alta({ TipoFactura: 'R1' }),
        client.alta({ ImporteTotal: '140.00' }),
      ]);
      const corrected = tag(
        'IDFacturaRectificada',
        tags({ IDEmisorFactura: client.nif, NumSerieFactura: first.number, FechaExpedicionFactura: first.day }),
      );
      await client.send([client.alta({ TipoFactura: 'R1', TipoRectificativa: 'I', FacturasRectificadas: corrected })], { late: true });
      await client.send([first]);
      await client.send([client.annulment(first)]);
      const shown = ['MostrarNombreRazonEmisor', 'MostrarSistemaInformatico'].map((name) => `<sfLRC:${name}>S</sfLRC:${name}>`).join('');
      await client.query({ more: `<sfLRC:DatosAdicionalesRespuesta>${shown}</sfLRC:DatosAdicionalesRespuesta>` });
      await client.query({ number: 'none' });
      await client.post('{}').catch(() => undefined);
      const messages = client.exchanged.filter((message) => message.startsWith('<'));
      const errorOf = publishedSchema('es');
      expect(messages.map(errorOf)).toEqual(messages.map(() => undefined));
      await served.close();
    });

    test.each(samples('es').filter(([name]) => name.includes('request')))(
      '%s, a sample, has the shape and the hashes that the simulator wants',
      (_name, message) => {
        const body = bodyOf(message);
        expect(schemaErrorOf(body, sending)).toBeUndefined();
        const records = body.children.filter(({ name }) => name === 'RegistroFactura').flatMap(({ children }) => children);
        const shapeOf = ({ name }: Element): Shape => (name === 'RegistroAlta' ? alta : annulment);
        expect(records.map((record) => schemaErrorOf(record, shapeOf(record)))).toEqual(records.map(() => undefined));
        for (const record of records.map(recordOf)) expect(expectedHash(record)).toBe(record.hash);
      },
    );
  });
});
