import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { element, type Element } from '../../xml/element.ts';

type Customer = NonNullable<RegistrationRequested['customer']>;

const text = (name: string, value: string): Element => element(name, {}, [value]);
/** Types of identification (L7) by the kind of a number. */
const types: Record<string, string> = { vat: '02', national: '04', passport: '03', other: '06' };
/** Spain's number, with or without the prefix of VAT. */
const NIF = /^(?:ES)?([A-Z0-9][0-9]{7}[A-Z0-9])$/;

/** The one of its numbers that a record names, where more is known of it. */
export const customerNumber = ({ tax_id, tax_ids = [] }: Pick<Customer, 'tax_id' | 'tax_ids'>) =>
  tax_ids.find(({ value }) => value === tax_id) ?? (tax_id ? undefined : tax_ids[0]);

/** The customer: by NIF where the number is Spanish, else by its kind and country. A person’s number without a kind is one of the country’s own documents. */
export function namedCustomer({ name, tax_id, tax_id_kind, kind: who, tax_ids = [], address }: Customer): Element {
  const known = customerNumber({ tax_id, tax_ids });
  const number = (tax_id ?? known?.value ?? '').toUpperCase().replace(/[^A-Z0-9]/g, '');
  const country = known?.country ?? address?.country ?? 'ES';
  const said = (tax_id ? tax_id_kind : null) ?? known?.kind;
  const nif = country === 'ES' && said !== 'passport' ? NIF.exec(number)?.[1] : undefined;
  const kind = said ?? (who === 'person' ? 'national' : 'other');
  const other = element('sf:IDOtro', {}, [
    ...(kind === 'vat' ? [] : [text('sf:CodigoPais', country)]),
    ...[text('sf:IDType', types[kind] ?? '06'), text('sf:ID', number.slice(0, 20))],
  ]);
  const id = nif === undefined ? other : text('sf:NIF', nif);
  return element('sf:IDDestinatario', {}, [text('sf:NombreRazon', (name ?? '').slice(0, 120)), id]);
}
