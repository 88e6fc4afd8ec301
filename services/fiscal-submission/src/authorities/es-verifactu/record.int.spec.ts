import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { linkAfter, type ChainLink } from '../../chain/domain/link.ts';
import { childOf, childrenOf, parseXml, soapBody, textOf } from '../../xml/parse.ts';
import { schemaOf, schemas } from '../../xml/testing/schema.ts';
import { alInvoice, alReceipt, original } from '../al-cis/testing/documents.ts';
import { huellaOfAlta } from './huella.ts';
import { esDraft, esLink, esRecord, type EsDraft, type Producer } from './record.ts';
import { sendingOf, SF } from './sending.ts';

const producer: Producer = { name: 'Test producer', nif: '89890001K', system: 'Test system', id: '01', version: '1.0' };
const issuer = {
  ...{ legal_name: 'Emisor de prueba SL', tax_id: '89890001K', country: 'ES', currency: 'EUR', time_zone: 'Europe/Madrid' },
  address: { line1: 'Gran Vía 2', city: 'Madrid', country: 'ES' },
};
const customer = {
  ...{ id: 'cust_01k9zq3r7te8v9x0a1b2c3d412', name: 'Cliente & Hijos', tax_id: 'B12345674', email: null, phone: null, language: null },
  address: { line1: null, city: 'Madrid', country: 'ES' },
} as RegistrationRequested['customer'];
type Asked = NonNullable<Parameters<typeof alInvoice>[0]>;
const spanish = (asked: Asked, number: string): Asked => ({
  ...asked,
  issuer: { ...issuer, ...asked.issuer } as never,
  document: { currency: 'EUR', ...asked.document },
  over: { number, customer, ...asked.over },
});
const invoice = (asked: Asked = {}, number = 'INV-2026-000001') => alInvoice(spanish(asked, number));
const receipt = (asked: Asked = {}, number = 'RCP/7') => alReceipt(spanish({ ...asked, over: { customer: null, ...asked.over } }, number));
const at21 = (amount: number, tax = {}) => ({ amount, tax: { rate: 21, ...tax } });
const corrected = { ...original, number: 'INV-2026-000000' };

const shapes: Record<string, RegistrationRequested> = {
  standard: invoice({ lines: [at21(100)] }),
  receipt: receipt({ lines: [{ amount: 30, tax: { rate: 10 } }] }),
  'credit note': invoice(
    { lines: [at21(40)], document: { type: 'credit_note', corrects: 'inv_0' }, over: { original: corrected } },
    'CN-1',
  ),
  corrective: invoice(
    { lines: [{ ...at21(-20), quantity: -1 }], document: { type: 'corrective', corrects: 'inv_0' }, over: { original: corrected } },
    'COR-1',
  ),
  'reverse charge': invoice({ lines: [{ amount: 80, tax: { code: 'AE', rate: 0 } }] }),
  exempt: invoice({ lines: [{ amount: 50, tax: { code: 'E', rate: 0, exemption_code: 'E1' } as never }, at21(100)] }),
  export: invoice({ lines: [{ amount: 50, tax: { code: 'G', rate: 0 } }] }),
  'not subject': invoice({ lines: [{ amount: 50, tax: null }, at21(10)] }),
  'several rates': invoice({ lines: [at21(10), { amount: 20, tax: { rate: 10 } }, { amount: 5.05, tax: { rate: 4 } }] }),
  'foreign currency': invoice({ lines: [at21(100)], document: { currency: 'USD', exchange_rate: 0.92 } }),
  'a customer abroad': invoice({
    lines: [{ amount: 80, tax: { code: 'K', rate: 0 } }],
    over: {
      customer: { ...customer, tax_id: 'FR12345678901', tax_ids: [{ country: 'FR', value: 'FR12345678901', kind: 'vat' }] } as never,
    },
  }),
  '500 lines': invoice({ lines: Array.from({ length: 500 }, () => at21(1.5)) }),
};

const AT = '2026-03-01T10:00:05.250Z';
function linked(draft: EsDraft, document: string, last?: ChainLink): ChainLink {
  const of = { document, round: 1, operation: 'register' as const };
  return linkAfter(last, of, AT, (previous, at) => esLink(draft, previous, at));
}
/** The value of a field of a record by its path. */
function valueIn(record: string, ...path: string[]): string {
  const root = parseXml(record.replace('<sf:RegistroAlta>', `<sf:RegistroAlta xmlns:sf="${SF}">`));
  return textOf(path.reduce<ReturnType<typeof childOf>>((parent, name) => childOf(parent, SF, name), root));
}

describe.each(Object.entries(shapes))('%s', (_name, request) => {
  const draft = esDraft(request, 'I1');
  const { record } = esRecord(draft, linked(draft, 'inv_1'), producer);

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
  const [first, second] = [esDraft(invoice(), 'I1'), esDraft(receipt(), 'I1')];
  const [one, two] = [linked(first, 'inv_1'), linked(second, 'rcp_1', linked(first, 'inv_1'))];
  expect(esRecord(first, one, producer).record).toContain('<sf:PrimerRegistro>S</sf:PrimerRegistro>');
  const { record } = esRecord(second, two, producer);
  const before = (name: string): string => valueIn(record, 'Encadenamiento', 'RegistroAnterior', name);
  expect([before('NumSerieFactura'), before('FechaExpedicionFactura'), before('Huella')]).toEqual([
    'INV-2026-000001',
    '01-03-2026',
    one.hash,
  ]);
  expect(valueIn(record, 'Huella')).not.toBe(valueIn(esRecord(second, linked(second, 'rcp_1'), producer).record, 'Huella'));
});

test('kinds of invoices: with a customer, without one, and what corrects', () => {
  const kind = (request: RegistrationRequested): string => esDraft(request, 'I1').of.type;
  const of = (name: string): RegistrationRequested => shapes[name] as RegistrationRequested;
  expect(['standard', 'receipt', 'credit note', 'corrective'].map((name) => kind(of(name)))).toEqual(['F1', 'F2', 'R1', 'R1']);
  expect(kind(receipt({ document: { corrects: 'rcp_0' } }))).toBe('R5');
});

test('a sending of several records has them in order', () => {
  const records = ['standard', 'receipt'].map((name) => {
    const draft = esDraft(shapes[name] as RegistrationRequested, 'I1');
    return esRecord(draft, linked(draft, name), producer).record;
  });
  const body = soapBody(parseXml(sendingOf({ name: 'E', nif: '89890001K' }, records, true)));
  expect(childrenOf(body as never).map(({ localName }) => localName)).toEqual(['Cabecera', 'RegistroFactura', 'RegistroFactura']);
});
