import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { canonical } from '../../xml/element.ts';
import { namedCustomer } from './parties.ts';

type Customer = NonNullable<RegistrationRequested['customer']>;
const customer = { id: 'cust_1', name: 'Ana', email: null, phone: null, language: null, address: { country: 'ES' } };
const textOf = (of: object): string =>
  canonical(namedCustomer({ ...customer, ...of } as unknown as Customer)).replace(/<\/?sf:(IDDestinatario|NombreRazon)>/g, '');
const other = (country: string, type: string, id: string): string =>
  `Ana<sf:IDOtro>${country && `<sf:CodigoPais>${country}</sf:CodigoPais>`}<sf:IDType>${type}</sf:IDType><sf:ID>${id}</sf:ID></sf:IDOtro>`;
const abroad = { address: { country: 'FR' } };

test.each([
  [{ tax_id: 'ESB12345674' }, 'Ana<sf:NIF>B12345674</sf:NIF>'],
  [{ tax_id: 'B12345674', tax_id_kind: 'passport' }, other('ES', '03', 'B12345674')],
  [{ tax_id: 'FR12', tax_id_kind: 'vat', ...abroad }, other('', '02', 'FR12')],
  [{ tax_id: '12', tax_id_kind: 'national', ...abroad }, other('FR', '04', '12')],
  [{ tax_id: '12', kind: 'person', ...abroad }, other('FR', '04', '12')],
  [{ tax_id: '12', kind: 'business', ...abroad }, other('FR', '06', '12')],
  [{ tax_id: null, tax_ids: [{ country: 'FR', value: 'P1', kind: 'passport' }], ...abroad }, other('FR', '03', 'P1')],
])('a customer is named by NIF, else by the kind of the number: %j', (of, stated) => {
  expect(textOf(of)).toBe(stated);
});
