import { at, textAt, type Element } from '../xml/element.ts';
import { copied } from '../xml/text.ts';
import type { StoredRecord } from './invoices.ts';
import type { SentRecord } from './record.ts';

const FIRST = ['RefExterna', 'Subsanacion', 'RechazoPrevio', 'SinRegistroPrevio'];
const LAST = ['FechaHoraHusoGenRegistro', 'NumRegistroAcuerdoFacturacion', 'IdAcuerdoSistemaInformatico', 'TipoHuella', 'Huella'];
const APART = [...FIRST, ...LAST, 'IDVersion', 'IDFactura', 'NombreRazonEmisor', 'SistemaInformatico', 'Signature'];

/** What a query shows of a record, in the order and the namespaces of its answer. */
export function storedOf({ element, id, chain }: Pick<SentRecord, 'element' | 'id' | 'chain'>, presenter: string): StoredRecord {
  const named = (names: readonly string[]): string =>
    names
      .flatMap((name) => at(element, name) ?? [])
      .map(shown)
      .join('');
  const rest = element.children.filter(({ name }) => !APART.includes(name));
  return {
    id,
    name: named(['NombreRazonEmisor']),
    data: named(FIRST) + rest.map(shown).join(''),
    system: named(['SistemaInformatico']),
    proof: named(LAST),
    recipients: (at(element, 'Destinatarios')?.children ?? []).flatMap((one) => textAt(one, 'NIF') ?? textAt(one, 'IDOtro/ID') ?? []),
    chain,
    reference: textAt(element, 'RefExterna'),
    presenter,
  };
}

/** Elements that the answer's own schema declares inside of others. */
const OWN = ['IDFacturaRectificada', 'IDFacturaSustituida', 'IDDestinatario', 'PrimerRegistro', 'RegistroAnterior'];
const shown = (element: Element): string => copied(element, (name, depth) => (depth === 0 || OWN.includes(name) ? 'sfLRRC' : 'sf'));
