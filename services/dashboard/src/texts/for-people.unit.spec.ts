import { forPeople } from './for-people.ts';

test.each([
  ['is no NUIS. Set the one that it gave, by PATCH /v1/issuer.', 'is no NUIS. Set the one that it gave.'],
  [
    'T1 has no authority_code: register it by POST /v1/issuer/devices/{code}/register, or …',
    'T1 has no code of the authority: register it, or …',
  ],
  ['of T1 is not set. Set it by PATCH /v1/issuer, in devices.', 'of T1 is not set. Set it, in devices.'],
  ['is not set. Set it by PATCH /v1/issuer: sandbox, al-cis.', 'is not set. Set it: sandbox, Albania (CIS).'],
  ['It waits for a valid certificate: PUT /v1/fiscal-credentials. Then it goes on.', 'It waits for a valid certificate. Then it goes on.'],
  ['PUT /v1/fiscal-credentials sets another; what waits is then sent.', 'Uploading a certificate sets another; what waits is then sent.'],
  ['issue a receipt, or set it by PATCH /v1/customers/{id}. (VERI*FACTU)', 'issue a receipt, or set it. (VERI*FACTU)'],
  [
    'Send a number or a decimal string with at most 12 digits before and 8 after the point, not negative, without exponent.',
    'Write 1234.50 or 1234,50, at most 8 decimals, not negative.',
  ],
])('%s is said to a person without words of programs', (message, shown) => expect(forPeople(message)).toBe(shown));

test('what names no route stays as it is', () => {
  const message = 'Sold by post/parcel: GET it at /v1 of the shop.';
  expect(forPeople(message)).toBe(message);
});
