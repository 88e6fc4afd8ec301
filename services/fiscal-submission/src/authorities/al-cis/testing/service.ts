import { randomUUID } from 'node:crypto';
import type { Http } from '../../../sending/http.ts';
import { canonical, element, soapEnvelope, type Element } from '../../../xml/element.ts';
import { enveloped } from '../../../xml/enveloped-signature.ts';
import { childOf, parseXml, soapBody } from '../../../xml/parse.ts';
import { verifiedElement } from '../../../xml/verify.ts';
import type { Certified } from '../../../xml/testing/certificates.ts';
import { albania } from '../albania.ts';

const NAMESPACE = albania.namespace;

interface Options {
  /** Signs its answers. */
  signer: Certified;
  /** Of taxpayers' certificates. */
  taxpayers: { anchors: string[]; signer: string };
}

/** A service that checks signatures and registers each code once. What another record of a number is answered is not documented: it says that it is a duplicate. */
export function alService({ signer, taxpayers }: Options): { http: Http; registered: Map<string, string> } {
  const registered = new Map<string, string>();
  const byNumber = new Map<string, string>();
  const http: Http = async ({ body = '' }) => {
    const root = soapBody(parseXml(body));
    const request = root && verifiedElement(root, 'Request', taxpayers, Date.parse('2026-03-01T10:00:00Z'));
    const uuid = (root && childOf(root, NAMESPACE, 'Header')?.getAttribute('UUID')) ?? '';
    if (!request) return fault('30', 'Digest calculation wrong.', uuid);
    if (childOf(request, NAMESPACE, 'CashDeposit'))
      return { status: 200, headers: {}, body: Buffer.from(openingAnswer(signer, uuid, randomUUID())) };
    const invoice = childOf(request, NAMESPACE, 'Invoice');
    const of = (name: string): string => invoice?.getAttribute(name) ?? '';
    const key = `${childOf(invoice, NAMESPACE, 'Seller')?.getAttribute('IDNum')} ${of('InvNum')}`;
    const known = byNumber.get(key);
    if (known !== undefined && known !== of('IIC')) return fault('60', 'Invoice number is already registered.', uuid);
    byNumber.set(key, of('IIC'));
    registered.set(of('IIC'), registered.get(of('IIC')) ?? randomUUID());
    return { status: 200, headers: {}, body: Buffer.from(answer(signer, uuid, registered.get(of('IIC')) ?? '')) };
  };
  return { http, registered };
}

export const answer = (signer: Certified, requestUuid: string, fic: string): string =>
  signedAnswer(signer, requestUuid, 'RegisterInvoiceResponse', element('FIC', {}, [fic]));
export const openingAnswer = (signer: Certified, requestUuid: string, fcdc: string): string =>
  signedAnswer(signer, requestUuid, 'RegisterCashDepositResponse', element('FCDC', {}, [fcdc]));

function signedAnswer(signer: Certified, requestUuid: string, name: string, code: Element): string {
  const header = element('Header', { UUID: randomUUID(), RequestUUID: requestUuid, SendDateTime: '2026-03-01T11:00:01+01:00' });
  const root = element(name, { xmlns: NAMESPACE, Id: 'Response', Version: '3' }, [header, code]);
  const { text, signedWith } = enveloped(canonical(root), 'Response');
  return soapEnvelope(signedWith(signer.sign(text)));
}

export function fault(code: string, reason: string, requestUuid: string) {
  const detail = element('detail', {}, [element('code', {}, [code]), element('requestUUID', {}, [requestUuid])]);
  const body = element('soapenv:Fault', {}, [element('faultcode', {}, ['soapenv:CLIENT']), element('faultstring', {}, [reason]), detail]);
  return { status: 500, headers: {}, body: Buffer.from(soapEnvelope(canonical(body))) };
}
