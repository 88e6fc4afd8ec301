import { canonical, element, soapEnvelope, type Element } from '../../xml/element.ts';
import { readSending, takenAt } from './answer.ts';
import { isOfContent } from './fault.ts';
import { RESPONSE, SF } from './sending.ts';

const text = (name: string, value: string): Element => element(name, {}, [value]);
const sent = (number: string, operation: 'Alta' | 'Anulacion' = 'Alta') => ({ nif: '89890001K', number, day: '01-03-2026', operation });

interface Line {
  number: string;
  state: string;
  operation?: string;
  code?: string;
  duplicate?: string;
}
const line = ({ number, state, operation = 'Alta', code, duplicate }: Line): Element =>
  element('sfR:RespuestaLinea', {}, [
    element('sfR:IDFactura', {}, [
      ...[text('sf:IDEmisorFactura', '89890001K'), text('sf:NumSerieFactura', number), text('sf:FechaExpedicionFactura', '01-03-2026')],
    ]),
    element('sfR:Operacion', {}, [text('sf:TipoOperacion', operation)]),
    text('sfR:EstadoRegistro', state),
    code !== undefined && text('sfR:CodigoErrorRegistro', code),
    code !== undefined && text('sfR:DescripcionErrorRegistro', 'Motivo'),
    duplicate !== undefined && element('sfR:RegistroDuplicado', {}, [text('sf:EstadoRegistroDuplicado', duplicate)]),
  ]);

function answer(lines: Line[], { csv = 'A-CSV' }: { csv?: string | null } = {}): string {
  const head = [
    csv !== null && text('sfR:CSV', csv),
    csv !== null && element('sfR:DatosPresentacion', {}, [text('sf:TimestampPresentacion', '2026-03-01T11:00:10+01:00')]),
    text('sfR:TiempoEsperaEnvio', '60'),
  ];
  const root = element('sfR:RespuestaRegFactuSistemaFacturacion', { 'xmlns:sf': SF, 'xmlns:sfR': RESPONSE }, [...head, ...lines.map(line)]);
  return soapEnvelope(canonical(root));
}
const fault = (code: string, faultcode = 'env:Client'): string =>
  soapEnvelope(canonical(element('soapenv:Fault', {}, [text('faultcode', faultcode), text('faultstring', `Codigo[${code}].Motivo`)])));
const read = (body: string, records = [sent('A')]) => readSending(records, { status: 200, headers: {}, body: Buffer.from(body) }, false);
const resultOf = (one: Partial<Line>) => read(answer([{ number: 'A', state: 'Incorrecto', ...one }])).lines[0];

test('an answer to a sending says when it was taken, another one does not', () => {
  const at = (text: string): number => takenAt({ body: Buffer.from(text) });
  expect(at(answer([{ number: 'A', state: 'Correcto' }]))).toBe(Date.parse('2026-03-01T10:00:10Z'));
  const asked = answer([]).replaceAll('RespuestaRegFactuSistemaFacturacion', 'RespuestaConsultaFactuSistemaFacturacion');
  expect([at(asked), at(fault('4102'))]).toEqual([NaN, NaN]);
});

test('each record has the outcome of its line, and the sending the pace of the next', () => {
  const lines = [
    { number: 'A', state: 'Correcto' },
    { number: 'B', state: 'AceptadoConErrores', code: '2004' },
    { number: 'C', state: 'Incorrecto', code: '1114' },
  ];
  const registered = { kind: 'registered', code: 'A-CSV', registered_at: '2026-03-01T10:00:10.000Z' };
  expect(read(answer(lines), [sent('B'), sent('C'), sent('A')])).toMatchObject({
    wait: 60,
    lines: [
      { ...registered, warnings: ['2004'], warned: [{ code: '2004', message: 'Motivo' }] },
      { kind: 'rejected', error: { code: '1114', fixable: 'data' } },
      { ...registered, warnings: [] },
    ],
  });
});

test('what has no line, or is accepted without a CSV, is not known', () => {
  expect(read(answer([])).lines).toMatchObject([{ kind: 'unknown' }]);
  expect(read(answer([{ number: 'A', state: 'Correcto' }], { csv: null })).lines).toMatchObject([{ kind: 'unknown' }]);
});

test('an annulment is of the same number, and is known from a registration', () => {
  const both = [
    { number: 'A', state: 'Correcto' },
    { number: 'A', state: 'Correcto', operation: 'Anulacion' },
  ];
  expect(read(answer(both), [sent('A', 'Anulacion'), sent('A')]).lines).toMatchObject([{ kind: 'cancelled' }, { kind: 'registered' }]);
});

test.each([
  [{ code: '1180' }, { kind: 'rejected', error: { fixable: 'setup' } }],
  [{ code: '3003' }, { kind: 'rejected', error: { fixable: 'credentials' } }],
  [{ code: '3004' }, { kind: 'rejected', error: { fixable: 'data' } }],
  [{ code: '1241' }, { kind: 'deferred', ofRecord: true }],
  [
    { code: '3000', duplicate: 'Correcta' },
    { kind: 'unknown', error: { code: '3000' } },
  ],
  [
    { code: '3000', duplicate: 'Anulada' },
    { kind: 'rejected', error: { fixable: 'data' } },
  ],
  [{ code: '3002' }, { kind: 'unknown', error: { code: '3002' } }],
])('a line with %j', (line, result) => expect(resultOf(line)).toMatchObject(result));

test.each(['Correcta', 'Anulada'])('an annulment that is a duplicate of what is %s is asked for', (duplicate) => {
  const lines = [{ number: 'A', state: 'Incorrecto', operation: 'Anulacion', code: '3000', duplicate }];
  expect(read(answer(lines), [sent('A', 'Anulacion')]).lines).toMatchObject([{ kind: 'unknown', error: { code: '3000' } }]);
});

test.each([
  ['4112', { kind: 'deferred', fixable: 'credentials' }],
  ['4141', { kind: 'deferred', fixable: 'credentials', byPerson: true }],
  ['4127', { kind: 'deferred', fixable: 'setup' }],
  ['4104', { kind: 'rejected', error: { fixable: 'setup', message: expect.stringContaining('PATCH /v1/issuer') } }],
  ['4134', { kind: 'deferred', error: { code: '4134' } }],
])('the fault %s is of every record, and stores none', (code, result) => {
  expect(read(fault(code), [sent('A'), sent('B')]).lines).toMatchObject([result, result]);
});

test.each(['4102', '4136', '4199'])('the fault %s is of one of the records: that of a single one is refused', (code) => {
  const answered = read(fault(code), [sent('A'), sent('B', 'Anulacion')]);
  expect(answered).toMatchObject({ refusedTogether: true, wait: null });
  expect(answered.lines).toMatchObject([
    { kind: 'rejected', error: { code, fixable: 'setup' } },
    { kind: 'refused', error: { code } },
  ]);
  expect(isOfContent(code)).toBe(true);
});

test.each(['4107', '4109'])('the fault %s is of the issuer or of one customer, and no defect of a record', (code) => {
  const answered = read(fault(code), [sent('A'), sent('B')]);
  expect(answered.refusedTogether).toBe(true);
  expect(answered.lines[0]).toMatchObject({
    kind: 'rejected',
    error: { code, fixable: 'setup', message: expect.stringContaining('census') },
  });
  expect(isOfContent(code)).toBe(false);
});

test('a message that cannot be parsed goes again, and may be so for one of its records', () => {
  expect(read(fault('4103'))).toMatchObject({ refusedTogether: true, lines: [{ kind: 'deferred', ofRecord: true }] });
});

test('a fault of the client without a code stores nothing, and may be for one of the records', () => {
  const body = canonical(element('soapenv:Fault', {}, [text('faultcode', 'env:Client'), text('faultstring', 'not well-formed')]));
  const answered = read(soapEnvelope(body), [sent('A'), sent('B')]);
  expect(answered).toMatchObject({ refusedTogether: true, lines: [{ kind: 'deferred', ofRecord: true }, { kind: 'deferred' }] });
});

test('a page that refuses the certificate stores nothing', () => {
  const page = { status: 403, headers: {}, body: Buffer.from('<html>403') };
  expect(readSending([sent('A')], page, false).lines).toMatchObject([{ kind: 'deferred', fixable: 'credentials' }]);
});

test('a fault of the server says nothing', () => {
  expect(read(fault('4103', 'env:Server')).lines).toMatchObject([{ kind: 'unknown' }]);
});
