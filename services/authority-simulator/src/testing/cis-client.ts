import { createHash, createPrivateKey, randomUUID, sign, type KeyObject } from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import type { ServedSimulator } from './served.ts';

/** How the services of Albania and Montenegro look to a client. */
export const services = {
  'al-cis': {
    path: '/FiscalizationService-v3',
    namespace: 'https://eFiskalizimi.tatime.gov.al/FiscalizationService/schema',
    version: '3',
    type: 'NUIS',
    issuer: 'IssuerNUIS',
    taxId: 'L91806031N',
    country: 'ALB',
  },
  'me-efi': {
    path: '/fs-v1',
    namespace: 'https://efi.tax.gov.me/fs/schema',
    version: '1',
    type: 'TIN',
    issuer: 'IssuerTIN',
    taxId: '12345678',
    country: 'MNE',
  },
} as const;
export type CisAuthority = keyof typeof services;

export interface CisReply {
  status: number;
  /** FIC, FCDC or TCRCode. */
  code: string | undefined;
  /** Of a fault. */
  error: number | undefined;
  text: string;
}

export interface Credentials {
  key: KeyObject;
  certificate: string;
}

/** `attributes` are in the order of their names; undefined ones are absent. */
export const element = (name: string, attributes: Record<string, string | undefined>, ...children: string[]): string =>
  `<${name}${Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([attribute, value]) => ` ${attribute}="${value}"`)
    .join('')}${children.join('') === '' ? '/>' : `>${children.join('')}</${name}>`}`;

/** Signs by another implementation than the simulator's own. */
export function signElement(xml: string, { key, certificate }: Credentials): string {
  const signature = new SignedXml({
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }) as string,
    publicCert: certificate,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  });
  signature.addReference({
    xpath: "//*[@Id='Request']",
    uri: '#Request',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
  });
  signature.computeSignature(xml, { location: { reference: "//*[@Id='Request']", action: 'append' } });
  return signature.getSignedXml();
}

export const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Header/><soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`;

/** `2026-03-02T10:00:00+00:00` */
export const stamp = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}+00:00`;

/** A taxpayer's software: what it sends is right unless a test changes it. */
export class CisClient {
  readonly service;
  /** The messages that were sent and answered, for checks against the published schemas. */
  readonly exchanged: string[] = [];
  private ordinal = 0;

  private constructor(
    private readonly served: ServedSimulator,
    readonly authority: CisAuthority,
    readonly taxId: string,
    public credentials: Credentials,
  ) {
    this.service = services[authority];
  }

  static async open(served: ServedSimulator, authority: CisAuthority, taxId: string = services[authority].taxId): Promise<CisClient> {
    return new CisClient(served, authority, taxId, await CisClient.certificate(served, authority, { tax_id: taxId }));
  }

  static async certificate(served: ServedSimulator, authority: CisAuthority, fields: object): Promise<Credentials> {
    const { body } = await served.operate('POST', '/certificates', { authority, ...fields });
    const { certificate_pem, key_pem } = body as { certificate_pem: string; key_pem: string };
    return { key: createPrivateKey(key_pem), certificate: certificate_pem };
  }

  now(): string {
    return stamp(this.served.clock.now());
  }

  /** The attributes of an invoice with its code. `number`: InvNum, made of the parts by default. */
  invoice(over: Record<string, string | undefined> = {}, ordinal = (this.ordinal += 1)): Record<string, string | undefined> {
    const at = over['IssueDateTime'] ?? this.now();
    const [unit, till] = [over['BusinUnitCode'] ?? 'bb123bb123', over['TCRCode']];
    const isCash = over['TypeOfInv'] === 'CASH';
    const year = at.slice(0, 4);
    const number = this.authority === 'al-cis' ? [ordinal, year, ...(isCash ? [till] : [])] : [unit, ordinal, year, till];
    const fields = {
      ...(this.authority === 'al-cis' ? { TypeOfInv: 'NONCASH', IsSimplifiedInv: 'false' } : { InvType: 'INVOICE', TypeOfInv: 'NONCASH' }),
      ...{
        IssueDateTime: at,
        InvNum: number.join('/'),
        InvOrdNum: String(ordinal),
        IsIssuerInVAT: 'true',
        TotPriceWoVAT: '100.00',
        TotVATAmt: '20.00',
      },
      ...{ TotPrice: '120.00', OperatorCode: 'oo123oo123', BusinUnitCode: unit, SoftCode: 'ss123ss123', IsReverseCharge: 'false', ...over },
    };
    const text = ['IssueDateTime', 'InvOrdNum', 'BusinUnitCode', 'TCRCode', 'SoftCode', 'TotPrice'].map(
      (name) => (fields as Record<string, string>)[name] ?? '',
    );
    const signature = sign('sha256', Buffer.from([this.taxId, ...text].join('|')), this.credentials.key);
    return {
      IIC: createHash('md5').update(signature).digest('hex').toUpperCase(),
      IICSignature: signature.toString('hex').toUpperCase(),
      ...fields,
    };
  }

  /** The elements of a plain invoice of 100.00 and 20 %. */
  parts(over: Partial<Record<'PayMethods' | 'Seller' | 'Buyer' | 'Items' | 'SameTaxes', string>> = {}): string {
    const { type, country } = this.service;
    const item = { N: 'Item', U: 'piece', Q: '1', UPB: '100.00', UPA: '120.00', PB: '100.00', VR: '20.00', VA: '20.00', PA: '120.00' };
    const parts = {
      PayMethods: element('PayMethods', {}, element('PayMethod', { Type: 'ACCOUNT', Amt: '120.00' })),
      Seller: element('Seller', { IDType: type, IDNum: this.taxId, Name: 'Seller', Address: 'Street 1', Town: 'Town', Country: country }),
      Items: element('Items', {}, element('I', item)),
      SameTaxes: element(
        'SameTaxes',
        {},
        element('SameTax', { NumOfItems: '1', PriceBefVAT: '100.00', VATRate: '20.00', VATAmt: '20.00' }),
      ),
      ...over,
    };
    return Object.values(parts).join('');
  }

  message(name: string, header: Record<string, string | undefined>, part: string): string {
    const { namespace, version } = this.service;
    const fields = { UUID: randomUUID(), SendDateTime: this.now(), ...header };
    return element(name, { xmlns: namespace, Id: 'Request', Version: version }, element('Header', fields), part);
  }

  registerInvoice(
    fields: Record<string, string | undefined> = this.invoice(),
    {
      header = {},
      parts = this.parts(),
      simulate,
    }: { header?: Record<string, string | undefined>; parts?: string; simulate?: string } = {},
  ): Promise<CisReply> {
    const sent = header['SendDateTime'] ?? (header['SubseqDelivType'] ? this.now() : fields['IssueDateTime']);
    return this.send(
      this.message('RegisterInvoiceRequest', { ...header, SendDateTime: sent }, element('Invoice', fields, parts)),
      simulate,
    );
  }

  registerTill(over: Record<string, string | undefined> = {}, header: Record<string, string | undefined> = {}): Promise<CisReply> {
    const fields = {
      ...{
        [this.service.issuer]: this.taxId,
        BusinUnitCode: 'bb123bb123',
        TCRIntID: '1',
        SoftCode: 'ss123ss123',
        MaintainerCode: 'mm123mm123',
      },
      ...{ ValidFrom: this.now().slice(0, 10), Type: 'REGULAR', ...over },
    };
    return this.send(this.message('RegisterTCRRequest', header, element('TCR', fields)));
  }

  registerDeposit(
    till: string,
    over: Record<string, string | undefined> = {},
    header: Record<string, string | undefined> = {},
  ): Promise<CisReply> {
    const changed = over['ChangeDateTime'] ?? this.now();
    const fields = {
      ChangeDateTime: changed,
      Operation: 'INITIAL',
      CashAmt: '0.00',
      TCRCode: till,
      [this.service.issuer]: this.taxId,
      ...over,
    };
    const sent = { SendDateTime: header['SubseqDelivType'] ? this.now() : changed, ...header };
    return this.send(this.message('RegisterCashDepositRequest', sent, element('CashDeposit', fields)));
  }

  /** Signs and posts a request element. */
  send(request: string, simulate?: string): Promise<CisReply> {
    return this.post(envelope(signElement(request, this.credentials)), simulate);
  }

  async post(body: string, simulate?: string, headers: Record<string, string> = {}): Promise<CisReply> {
    const response = await fetch(`http://${this.served.simulator.addresses[this.authority]}${this.service.path}`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml', ...(simulate === undefined ? {} : { 'x-simulate': simulate }), ...headers },
      body,
    });
    const text = await response.text();
    this.exchanged.push(body, text);
    const [, code] = /<(?:FIC|FCDC|TCRCode)>([^<]*)</.exec(text) ?? [];
    const [, error] = /<code>(\d+)<\/code>/.exec(text) ?? [];
    return { status: response.status, code, error: error === undefined ? undefined : Number(error), text };
  }
}

/** Whether an answer bears the signature of the certificate in it, by another implementation than the simulator's own. */
export function isSigned(text: string): boolean {
  const [, der = ''] = /<X509Certificate>([^<]*)</.exec(text) ?? [];
  const signature = new SignedXml({ publicCert: `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----` });
  signature.loadSignature(/<Signature .*<\/Signature>/s.exec(text)?.[0] ?? '');
  try {
    return signature.checkSignature(text);
  } catch {
    return false;
  }
}
