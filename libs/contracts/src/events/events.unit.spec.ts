import { numberText } from '@svc/kernel';
import { createHash } from 'node:crypto';
import type { InvoiceResource } from '../invoice/resource.ts';
import { topics } from './envelope.ts';
import { fixtureOf } from '../testing/fixtures.ts';
import { InvalidEvent, parseEvent } from '../testing/parse.ts';
import { publicEvents } from '../public-events.ts';

/** SHA-256 of each fixture. A released event never changes: another shape is another type, `…v2`. */
const released: Record<string, string> = {
  'audit.setting-changed.v1': 'a38cfb2ada5f105b2232fd9c877c94a9ee006d1437d0bde8fce64cd203cd3ed6',
  'fiscal.cancellation-refused.v1': 'a66f0e2f3356061aca3c5480be8a6b340a9c54479c0dea690ef94dc63eb2c750',
  'fiscal.certificate-expiring.v1': 'd70906e119e8f0a89914c018eabb91ecd434d49d603983f1e2dbee00a1c00ae9',
  'fiscal.device-refused.v1': 'b2e8b6cea8bb660f575ee688f7e79570919bce3ef267b5693fee095ceeb3b634',
  'fiscal.device-registered.v1': '14e500189f423948bf39b559b7ef8122cf30d8234f04cb560e03d0a8cba4afd0',
  'fiscal.document-amended.v1': '4edbce6ac19c01c5f82ae92393063b361d1cb51f0a850dd57cb296cf7d6767e8',
  'fiscal.document-cancelled.v1': 'ad3ccc25d6106f4b10f6703f77b41570af2062170d4df55bb041b70b6b2e1d21',
  'fiscal.document-deadline-near.v1': 'eea109382d658145848560deef66a09906e25a17b488c06c6df887fa0a9fef3e',
  'fiscal.document-delayed.v1': '84cf8e9bfe86f946896516361481c56bff2cb2e297d968e6d884fe8a772b9b99',
  'fiscal.document-prepared.v1': 'e3e15ee221abc7a5454aa17da6cf70fb96cf5cc195f99277299ea12ea7dd64f8',
  'fiscal.document-registered.v1': '1a1562e103cdb008a60c774495b5a500d46e6702f71bd583c3225a1c867371d3',
  'fiscal.document-rejected.v1': 'df43bde0568c54944d41210f61d8112262371b135556cd765251e46400c224e0',
  'invoicing.cancellation-requested.v1': '84fc7cd5863b275e5480a81b9c61481198d400f059e4699f1eac8074ed28b59e',
  'invoicing.customer-created.v1': '3161bdf68bd3b3e67cada024e248ae5e8fe2d09c661909ffe4c71c1d5c87dd35',
  'invoicing.customer-deleted.v1': 'b1e77f518a480d9507091f659f830ddef93370dcc759d988dd4d8e79001d4146',
  'invoicing.customer-erased.v1': 'dfecee28c21005189ec77d754dc1de450178466202116fc1e83d7505b18dfdf2',
  'invoicing.customer-updated.v1': '71e81ad6fc138d3f82d9e202434dfb94f5e1877ce5f29117d7bafb3b8dfd01b9',
  'invoicing.device-registration-requested.v1': '7c98368394e3b41f70104f220d22e4a9b98aee30b8c544447834db4161ac401a',
  'invoicing.invoice-created.v1': 'ebae0d00770b09f02251842e8e41dbbe4b16d4c7d5cc3fa030035bd5947d3b80',
  'invoicing.invoice-failed.v1': '577483714b670cdee8f685be3a3618e988f388b95bcef6d17c22b9eb7f44030b',
  'invoicing.invoice-submitted.v1': '57c913022ff64ae29004971199e8dab83cdbf2239d887c7d3f66328ee5880d19',
  'invoicing.invoice-updated.v1': '3ea609525519a4346d1cd7d6772e6670760dcefe765478a24417cc0d5bd30ed7',
  'invoicing.invoice-voided.v1': '7e5274e6a4b51d549aee55d8fa25419fa7af7682b4be0f7786e6355a53ff8e5c',
  'invoicing.numbers-raised.v1': '041762f819e1e288dab89372f2a4447daa26b0bb60bd215a0e44284c8c07166f',
  'invoicing.receipt-created.v1': 'bfe2bfc1424518fe1fa8e33322a44bf85c74715813be4166b42f0f3ac7296bb9',
  'invoicing.receipt-updated.v1': 'af6991013926d7bc4acb98077c17b9b265e50865a98f198a6a2f08bbadba1e78',
  'invoicing.receipt-voided.v1': 'ef8468424c5a4bec7a461381b7dce10d8a0a4414041d4acc3a69814bb6e05d1a',
  'invoicing.registration-requested.v1': '1d0ee3a74b6fa8cb0a48579072effdda1bb8e81e330cd857a8c0ccd41df25eba',
};

test('every type has a frozen fixture', () => {
  expect([...publicEvents.keys()].sort()).toEqual(Object.keys(released).sort());
});

describe.each([...publicEvents])('%s', (_, event) => {
  const json = fixtureOf(event.type);

  test('its fixture did not change', () => {
    expect(createHash('sha256').update(json).digest('hex')).toBe(released[event.type]);
  });

  test('parseEvent returns its fixture unchanged', () => {
    expect(parseEvent(json)).toEqual(JSON.parse(json));
  });

  test('has a version, and a topic of its context', () => {
    expect(event.type.endsWith(`.v${event.version}`)).toBe(true);
    expect(Object.values(topics)).toContain(event.topic);
    expect(event.topic.split('.')[0]).toBe(event.type.split('.')[0]);
  });

  test('is invalid without any one of its required fields', () => {
    const whole = JSON.parse(json) as Record<string, unknown>;
    for (const field of Object.keys(whole).filter((name) => name !== 'traceparent' && name !== 'entry')) {
      const { [field]: _, ...less } = whole;
      expect(() => parseEvent(JSON.stringify(less))).toThrow(InvalidEvent);
    }
  });
});

describe('parseEvent', () => {
  const fixture = () =>
    JSON.parse(fixtureOf('invoicing.invoice-created.v1')) as { type: string; data: Record<string, unknown> } & Record<string, unknown>;

  test('accepts fields of later releases at any depth', () => {
    const event = { ...fixture(), later: 1, data: { ...fixture().data, later: { than: 'now' } } };
    expect(parseEvent(JSON.stringify(event))).toEqual(event);
  });

  test('validates only the envelope of an unknown type', () => {
    const event = { ...fixture(), type: 'invoicing.invoice-archived.v1', source: 'elsewhere', data: { anything: true } };
    expect(parseEvent(JSON.stringify(event))).toEqual(event);
    expect(() => parseEvent(JSON.stringify({ ...event, subject: 7 }))).toThrow(InvalidEvent);
  });

  test('keeps the digits of amounts that a double cannot hold', () => {
    const json = fixtureOf('invoicing.invoice-created.v1').replace('"unit_price": 50.25', '"unit_price": 123456789012.12345678');
    const { items } = parseEvent(json).data as InvoiceResource;
    expect(numberText(items[0]?.unit_price)).toBe('123456789012.12345678');
  });

  test.each(['', 'not JSON', 'null', '[]', '"text"', '7', '{}', '{"type":"invoicing.invoice-created.v1"}', '{"type":"__proto__"}'])(
    'throws on %s',
    (json) => {
      expect(() => parseEvent(json)).toThrow(InvalidEvent);
    },
  );

  test('the error names the path of the wrong value', () => {
    const event = { ...fixture(), data: { ...fixture().data, total: '120.60' } };
    expect(() => parseEvent(JSON.stringify(event))).toThrow('/data/total');
  });
});
