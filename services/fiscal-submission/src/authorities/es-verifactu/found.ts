import type { Element as DomElement } from '@xmldom/xmldom';
import { iso, millisOf } from '@svc/kernel';
import type { HttpResponse } from '../../sending/http.ts';
import type { Ours } from '../../submission/authority.ts';
import type { Result } from '../../submission/domain/facts.ts';
import { childOf, childrenOf, faultIn, parseXml, soapBody, textOf } from '../../xml/parse.ts';
import { warnedOf } from './answer.ts';
import { clientRefused, faulted } from './fault.ts';
import { referenceOf, type Reference } from './reference.ts';
import { FOUND, SF } from './sending.ts';

const unknown = (code: string, message: string): Result => ({ kind: 'unknown', error: { code, message } });

/**
 * What is registered under a number. Ours is what has our huella; the CSV of its sending cannot be asked for, so that its code is the number of the request
 * (`request_id`). Throws where the answer is no XML.
 */
export function readFound({ registered, reference, amends }: Ours, { status, body }: HttpResponse): Result {
  const refused = clientRefused({ status });
  if (refused) return refused;
  const root = soapBody(parseXml(body.toString()));
  const fault = faultIn(root);
  if (fault) return faulted(fault);
  if (root?.localName !== 'RespuestaConsultaFactuSistemaFacturacion' || root.namespaceURI !== FOUND)
    return unknown('unexpected_answer', `The answer (${status}) is not one to a query.`);
  const asked = referenceOf(reference);
  const outcome = textOf(childOf(root, FOUND, 'ResultadoConsulta'));
  const found = childrenOf(root)
    .filter(({ localName }) => localName === 'RegistroRespuestaConsultaFactuSistemaFacturacion')
    .find((one) => isOf(one, asked));
  if (!found && outcome !== 'SinDatos') return unknown('unexpected_answer', 'The answer has nothing about the record that was asked for.');
  if (registered) return found ? whetherAnnulled(found, asked) : unknown('3002', 'The authority does not show the registration.');
  if (!found) return { kind: 'absent' };
  const isBefore = amends !== undefined && factsOf(found).huella === referenceOf(amends).huella;
  return isBefore ? { kind: 'absent' } : whetherOurs(found, asked);
}

function isOf(found: DomElement, { nif, number, day }: Reference): boolean {
  const id = childOf(found, FOUND, 'IDFactura');
  const of = (name: string): string => textOf(childOf(id, SF, name));
  return of('IDEmisorFactura') === nif && of('NumSerieFactura') === number && of('FechaExpedicionFactura') === day;
}

const ANNULLED = 'Anulado';

function factsOf(found: DomElement) {
  const [state, presented] = [childOf(found, FOUND, 'EstadoRegistro'), childOf(found, FOUND, 'DatosPresentacion')];
  const at = (text: string): string => (text === '' ? '' : iso(millisOf(text)));
  return {
    state: textOf(childOf(state, FOUND, 'EstadoRegistro')),
    ...{ code: textOf(childOf(state, FOUND, 'CodigoErrorRegistro')), words: textOf(childOf(state, FOUND, 'DescripcionErrorRegistro')) },
    changedAt: at(textOf(childOf(state, FOUND, 'TimestampUltimaModificacion'))),
    presentedAt: at(textOf(childOf(presented, SF, 'TimestampPresentacion'))),
    request: textOf(childOf(presented, SF, 'IdPeticion')),
    huella: textOf(childOf(childOf(found, FOUND, 'DatosRegistroFacturacion'), FOUND, 'Huella')),
  };
}

function whetherOurs(found: DomElement, { huella, number }: Reference): Result {
  const { state, code, words, presentedAt, request, ...of } = factsOf(found);
  if (of.huella !== huella || state === ANNULLED) {
    const message = `The authority has another record under ${number}. Find out whose it is.`;
    return { kind: 'foreign', error: { code: 'duplicate_foreign', message, fixable: 'setup' } };
  }
  if (presentedAt === '' || request === '') return unknown('unexpected_answer', 'The answer does not say when the record was presented.');
  return { kind: 'registered', code: request, code_kind: 'request_id', registered_at: presentedAt, ...warnedOf(state, code, words) };
}

function whetherAnnulled(found: DomElement, { huella, number, operation }: Reference): Result {
  const of = factsOf(found);
  if (of.state === ANNULLED) return { kind: 'cancelled', cancelled_at: of.changedAt || of.presentedAt };
  if (operation === 'Alta' && of.huella !== huella)
    return unknown('foreign_answer', `The authority answered about another record under ${number}.`);
  return { kind: 'absent' };
}
