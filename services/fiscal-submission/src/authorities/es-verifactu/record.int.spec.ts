import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { linkAfter, type ChainLink } from '../../chain/domain/link.ts';
import { childOf, childrenOf, parseXml, soapBody, textOf } from '../../xml/parse.ts';
import { schemaOf, schemas } from '../../xml/testing/schema.ts';
import { annulmentLink, annulmentRecord } from './annulment.ts';
import { huellaOfAlta, huellaOfAnulacion } from './huella.ts';
import { altaLink, altaRecord, esDraft, type EsDraft } from './record.ts';
import type { Reference } from './reference.ts';
import { queryOf, sendingOf, SF } from './sending.ts';
import { esInvoice, esReceipt, producer, shapes } from './testing/documents.ts';

const AT = '2026-03-01T10:00:05.250Z';
function linked(draft: EsDraft, document: string, last?: ChainLink): ChainLink {
  const of = { document, round: 1, operation: 'register' as const };
  return linkAfter(last, of, AT, (previous, at) => altaLink(draft, previous, at));
}
/** The value of a field of a record by its path. */
function valueIn(record: string, ...path: string[]): string {
  const root = parseXml(record.replace('<sf:RegistroAlta>', `<sf:RegistroAlta xmlns:sf="${SF}">`));
  return textOf(path.reduce<ReturnType<typeof childOf>>((parent, name) => childOf(parent, SF, name), root));
}

describe.each(Object.entries(shapes))('%s', (_name, request) => {
  const draft = esDraft(request);
  const record = altaRecord(draft, linked(draft, 'inv_1'), producer);

  test('bears the hash of what it states', () => {
    const value = (...path: string[]): string => valueIn(record, ...path);
    const stated = {
      ...{ nif: value('IDFactura', 'IDEmisorFactura'), number: value('IDFactura', 'NumSerieFactura') },
      ...{ day: value('IDFactura', 'FechaExpedicionFactura'), type: value('TipoFactura'), tax: value('CuotaTotal') },
      ...{ total: value('ImporteTotal'), at: value('FechaHoraHusoGenRegistro') },
    };
    expect(stated.at).toBe('2026-03-01T11:00:05+01:00');
    expect(value('Huella')).toBe(huellaOfAlta(stated, ''));
  });

  test('is made anew of what is kept of its document', () => {
    expect(esDraft(draft.source)).toEqual(draft);
  });

  test('adds up', () => {
    const root = parseXml(record.replace('<sf:RegistroAlta>', `<sf:RegistroAlta xmlns:sf="${SF}">`));
    const rows = childrenOf(childOf(root, SF, 'Desglose') as never);
    const cents = (name: string): number =>
      rows.reduce((sum, row) => sum + Math.round(Number(textOf(childOf(row, SF, name)) || '0') * 100), 0);
    const tax = cents('CuotaRepercutida') + cents('CuotaRecargoEquivalencia');
    expect(Math.round(Number(valueIn(record, 'CuotaTotal')) * 100)).toBe(tax);
    expect(Math.round(Number(valueIn(record, 'ImporteTotal')) * 100)).toBe(cents('BaseImponibleOimporteNoSujeto') + tax);
  });

  // Without FISCAL_XSD_DIR there are no schemas: they are not ours to give on.
  (schemas ? test : test.skip)('is valid by the published schema, fresh and late', () => {
    const valid = schemaOf('es/all.xsd');
    const sender = { name: 'Emisor de prueba SL', nif: '89890001K' };
    valid(sendingOf(sender, [record], false));
    valid(sendingOf(sender, [record], true));
  });
});

test('each record cites the one before it; the first of a chain none', () => {
  const [first, second] = [esDraft(esInvoice()), esDraft(esReceipt())];
  const [one, two] = [linked(first, 'inv_1'), linked(second, 'rcp_1', linked(first, 'inv_1'))];
  expect(altaRecord(first, one, producer)).toContain('<sf:PrimerRegistro>S</sf:PrimerRegistro>');
  const record = altaRecord(second, two, producer);
  const before = (name: string): string => valueIn(record, 'Encadenamiento', 'RegistroAnterior', name);
  expect([before('NumSerieFactura'), before('FechaExpedicionFactura'), before('Huella')]).toEqual([
    'INV-2026-000001',
    '01-03-2026',
    one.hash,
  ]);
  expect(valueIn(record, 'Huella')).not.toBe(valueIn(altaRecord(second, linked(second, 'rcp_1'), producer), 'Huella'));
});

test('kinds of invoices: with a customer, without one, and what corrects', () => {
  const kind = (request: RegistrationRequested): string => esDraft(request).of.type;
  const of = (name: string): RegistrationRequested => shapes[name] as RegistrationRequested;
  expect(['standard', 'receipt', 'credit note', 'corrective'].map((name) => kind(of(name)))).toEqual(['F1', 'F2', 'R1', 'R1']);
  expect(kind(esReceipt({ document: { corrects: 'rcp_0' } }))).toBe('R5');
});

test('a sending of several records has them in order', () => {
  const records = ['standard', 'receipt'].map((name) => {
    const draft = esDraft(shapes[name] as RegistrationRequested);
    return altaRecord(draft, linked(draft, name), producer);
  });
  const body = soapBody(parseXml(sendingOf({ name: 'E', nif: '89890001K' }, records, true)));
  expect(childrenOf(body as never).map(({ localName }) => localName)).toEqual(['Cabecera', 'RegistroFactura', 'RegistroFactura']);
});

const reference: Reference = {
  ...{ nif: '89890001K', number: 'R&D/2', day: '01-03-2026', month: '2026-03', name: 'Emisor & Hijos', zone: 'Europe/Madrid' },
  ...{ installation: 'I1', huella: '', operation: 'Alta' },
};

test('an annulment cites the record before it and bears its hash; after a refused one it says so', () => {
  const draft = esDraft(esInvoice());
  const before = linked(draft, 'inv_1');
  const of = { document: 'inv_1', round: 1, operation: 'cancel' as const };
  const link = linkAfter(before, of, AT, (previous, at) => annulmentLink(reference, previous, at));
  const record = annulmentRecord(reference, link, { producer, wasRefused: true });
  expect(link.hash).toBe(huellaOfAnulacion({ ...reference, at: '2026-03-01T11:00:05+01:00' }, before.hash));
  expect(record).toContain(`<sf:Huella>${before.hash}</sf:Huella></sf:RegistroAnterior>`);
  expect(record).toContain('<sf:RechazoPrevio>S</sf:RechazoPrevio>');
  expect(annulmentRecord(reference, link, { producer, wasRefused: false })).not.toContain('RechazoPrevio');
  if (schemas) schemaOf('es/all.xsd')(sendingOf(reference, [record], false));
});

// Without FISCAL_XSD_DIR there are no schemas.
(schemas ? test : test.skip)('a query is valid by the published schema', () => schemaOf('es/all.xsd')(queryOf(reference)));
