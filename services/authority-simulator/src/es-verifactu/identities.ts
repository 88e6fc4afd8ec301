import { all, at, textAt, type Element } from '../xml/element.ts';

/** Numbers of taxpayers in other member states, by their countries. */
const vat: Record<string, string> = {
  ...{
    DE: '[0-9]{9}',
    AT: '[0-9A-Z]{9}',
    BE: '[0-9]{10}',
    CY: '[0-9A-Z]{9}',
    CZ: '[0-9]{8,10}',
    HR: '[0-9]{11}',
    DK: '[0-9]{8}',
    SK: '[0-9]{10}',
  },
  ...{ SI: '[0-9]{8}', EE: '[0-9]{9}', FI: '[0-9]{8}', FR: '[0-9A-Z]{11}', EL: '[0-9]{9}', XI: '([0-9A-Z]{5}|[0-9A-Z]{9}|[0-9A-Z]{12})' },
  ...{
    NL: '[0-9A-Z]{12}',
    HU: '[0-9]{8}',
    IT: '[0-9]{11}',
    IE: '[0-9A-Z]{8,9}',
    LV: '[0-9]{11}',
    LT: '([0-9]{9}|[0-9]{12})',
    LU: '[0-9]{8}',
  },
  ...{ MT: '[0-9]{8}', PL: '[0-9]{10}', PT: '[0-9]{9}', SE: '[0-9]{12}', BG: '[0-9]{9,10}', RO: '[1-9][0-9]{1,9}' },
};
export const isNif = (text: string): boolean => /^[0-9A-Z]\d{7}[0-9A-Z]$/.test(text);

/** The error of a person's identity in a record; undefined where it is right. Whether the person exists is not asked here. */
function identityErrorOf(person: Element): number | undefined {
  const nif = textAt(person, 'NIF');
  if (nif !== undefined) return isNif(nif) ? undefined : 1123;
  const [type, id = '', country] = ['IDType', 'ID', 'CodigoPais'].map((name) => textAt(person, `IDOtro/${name}`));
  if (type !== '02' && country === undefined) return 1111;
  if (type === '07' && country !== 'ES') return 1126;
  if (country === 'ES' && type !== '03' && type !== '07') return 1126;
  if (type === '07' && !isNif(id)) return 1131;
  return type === '02' ? vatErrorOf(id, country) : undefined;
}

function vatErrorOf(id: string, country: string | undefined): number | undefined {
  const [prefix, rest] = [id.slice(0, 2), id.slice(2)];
  const known = vat[prefix];
  if (known === undefined || !new RegExp(`^${known}$`).test(rest)) return 1103;
  const written = country === 'GR' ? 'EL' : country;
  return written === undefined || written === prefix || prefix === 'XI' ? undefined : 1122;
}

/** The first error among the persons of a record. */
export function personErrorOf(record: Element): number | undefined {
  const persons = [
    ...all(at(record, 'Destinatarios'), 'IDDestinatario'),
    ...['Tercero', 'Generador'].flatMap((name) => at(record, name) ?? []),
  ];
  for (const person of persons) {
    const error = identityErrorOf(person);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** The error of the block SistemaInformatico. */
export function systemErrorOf(system: Element | undefined): number | undefined {
  if (!/^[A-Z0-9]{2}$/.test(textAt(system, 'IdSistemaInformatico') ?? '')) return 1177;
  if (textAt(system, 'NombreSistemaInformatico') === '') return 1220;
  const nif = textAt(system, 'NIF');
  if (nif !== undefined) return isNif(nif) ? undefined : 1176;
  if (textAt(system, 'IDOtro/IDType') === '07') return 1221;
  return system && identityErrorOf(system) !== undefined ? 1179 : undefined;
}
