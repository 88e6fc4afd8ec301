import { createPrivateKey, sign, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { iicOf, iicText, verificationUrl } from './codes.ts';

const vectors = JSON.parse(readFileSync(new URL('./fixtures/vectors.json', import.meta.url), 'utf8')) as {
  input: string;
  iic: string;
  iic_signature: string;
  key_jwk: JsonWebKey;
  qr: { url: string };
};

const of = {
  ...{ nuis: 'I12345678I', issued: '2019-06-12T17:05:43+02:00', ordinal: '9952', unit: 'bb123bb123', device: 'cc123cc123' },
  ...{ software: 'ss123ss123', total: '99.01' },
};

test('the published issuer’s code and its signature, by the published key', () => {
  expect(iicText(of)).toBe(vectors.input);
  const key = createPrivateKey({ key: vectors.key_jwk, format: 'jwk' });
  const codes = iicOf(sign('sha256', Buffer.from(iicText(of)), key));
  expect(codes).toEqual({ IIC: vectors.iic, IICSignature: vectors.iic_signature });
});

test('what is not paid in cash has no till in its code', () => {
  expect(iicText({ ...of, device: null })).toBe(vectors.input.replace('cc123cc123', ''));
});

test('the published link for the check of an invoice', () => {
  const printed = {
    ...{ nuis: 'L91806031N', issued: '2019-09-26T13:50:13+01:00', ordinal: '6', unit: 'bg517kw842', device: 'xb131ap287' },
    ...{ software: 'gz434bv927', total: '199.00' },
  };
  const page = 'https://efiskalizimi-app-test.tatime.gov.al/invoice-check';
  expect(verificationUrl(page, 'EA26D5BE7F45827026108F825A8A512B', printed)).toBe(vectors.qr.url);
});
