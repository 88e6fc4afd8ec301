import type { ChainLink, Link } from '../../chain/domain/link.ts';
import { canonical, element, type Element } from '../../xml/element.ts';
import { localTime } from '../local-time.ts';
import { huellaOfAnulacion } from './huella.ts';
import { chainedTo, systemOf, type Producer } from './record.ts';
import type { Reference } from './reference.ts';

const text = (name: string, value: string): Element => element(name, {}, [value]);

/** The huella of an annulment behind the record before, and how the next one cites it. */
export function annulmentLink({ nif, number, day, zone }: Reference, previous: ChainLink['previous'], at: string): Link {
  return { hash: huellaOfAnulacion({ nif, number, day, at: localTime(zone, at) }, previous?.hash ?? ''), cited: { nif, number, day } };
}

/** A RegistroAnulacion (record design 1.0). `wasRefused`: an annulment of the same invoice was, which it says (records.txt, table B). */
export function annulmentRecord(
  { nif, number, day, zone, installation }: Reference,
  link: ChainLink,
  { producer, wasRefused }: { producer: Producer; wasRefused: boolean },
): string {
  const id = [
    ...[text('sf:IDEmisorFacturaAnulada', nif), text('sf:NumSerieFacturaAnulada', number)],
    text('sf:FechaExpedicionFacturaAnulada', day),
  ];
  return canonical(
    element('sf:RegistroAnulacion', {}, [
      ...[text('sf:IDVersion', '1.0'), element('sf:IDFactura', {}, id), wasRefused && text('sf:RechazoPrevio', 'S')],
      ...[
        chainedTo(link.previous),
        systemOf(producer, link.installation ?? installation),
        text('sf:FechaHoraHusoGenRegistro', localTime(zone, link.at)),
      ],
      ...[text('sf:TipoHuella', '01'), text('sf:Huella', link.hash)],
    ]),
  );
}
