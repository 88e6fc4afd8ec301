import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { albania } from './albania.ts';
import { buyerOf } from './parties.ts';

type Customer = NonNullable<RegistrationRequested['customer']>;
const customer = { id: 'cust_1', name: 'Arta', email: null, phone: null, language: null, address: { country: 'AL' } };
const idOf = (of: object): unknown[] => {
  const { IDType, IDNum } = buyerOf({ ...customer, ...of } as unknown as Customer, albania)?.attributes ?? {};
  return [IDType, IDNum];
};
const abroad = { address: { country: 'DE' } };

test.each([
  [{ tax_id: 'l12345678a' }, ['NUIS', 'L12345678A']],
  [{ tax_id: 'L12345678A', tax_id_kind: 'passport' }, ['PASS', 'L12345678A']],
  [{ tax_id: '12', tax_id_kind: 'national' }, ['ID', '12']],
  [{ tax_id: '12' }, ['ID', '12']],
  [{ tax_id: 'DE1', tax_id_kind: 'vat', ...abroad }, ['VAT', 'DE1']],
  [{ tax_id: 'DE1', kind: 'business', ...abroad }, ['TAX', 'DE1']],
  [{ tax_id: 'X1', kind: 'person', ...abroad }, ['ID', 'X1']],
  [{ tax_id: null, tax_ids: [{ country: 'DE', value: 'P1', kind: 'passport' }], ...abroad }, ['PASS', 'P1']],
])('a buyer is stated by the kind of the number: %j', (of, stated) => {
  expect(idOf(of)).toEqual(stated);
});
