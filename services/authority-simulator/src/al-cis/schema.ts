import { elementsOf, inAnyOrder, sequence, shape, type Check, type Shape } from '../xml/schema.ts';
import { countries3, currencies } from '../xml/codes.ts';
import { both, day, flag, oneOf, pattern, positive, text, time } from '../xml/values.ts';

export const NAMESPACE = 'https://eFiskalizimi.tatime.gov.al/FiscalizationService/schema';

/** Types that the schemas of Albania and Montenegro share. */
export const types = {
  uuid: pattern('[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-5][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}'),
  time,
  code: pattern('[a-z]{2}[0-9]{3}[a-z]{2}[0-9]{3}'),
  amount: pattern(String.raw`-?([1-9][0-9]*|0)\.[0-9]{2}|0`),
  price: pattern(String.raw`([1-9][0-9]*|0)\.[0-9]{2}|0`),
  quantity: pattern(String.raw`-?([1-9][0-9]*|0)(\.[0-9]{1,3})?`),
  rate: both(pattern(String.raw`[+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?`), (value) => Number(value) > 0),
  hex32: pattern('[0-9a-fA-F]{32}'),
  hex512: pattern('[0-9a-fA-F]{512}'),
  country: oneOf(...countries3),
  currency: oneOf(...currencies),
  late: oneOf('NOINTERNET', 'BOUNDBOOK', 'SERVICE', 'TECHNICALERROR'),
  tillType: oneOf('REGULAR', 'VENDING'),
  payment: oneOf('CASH', 'NONCASH'),
  selfIssued: oneOf('AGREEMENT', 'DOMESTIC', 'ABROAD', 'SELF', 'OTHER'),
};
const { uuid, code, amount, price, quantity, rate, hex32, hex512, country, currency, late, tillType, payment, selfIssued } = types;
const nuis = pattern('[a-zA-Z][0-9]{8}[a-zA-Z]');
const idType = oneOf('NUIS', 'ID', 'PASS', 'VAT', 'TAX', 'SOC');
const exemption = oneOf('TYPE_1', 'TYPE_2', 'TAX_FREE', 'MARGIN_SCHEME', 'EXPORT_OF_GOODS');
const method = [
  ...[
    'BANKNOTE',
    'CARD',
    'CHECK',
    'SVOUCHER',
    'COMPANY',
    'ORDER',
    'ACCOUNT',
    'FACTORING',
    'COMPENSATION',
    'TRANSFER',
    'WAIVER',
    'KIND',
    'OTHER',
  ],
];

/** The message around a part: its signature is judged by other code, which has errors of its own. */
export const messageOf = (namespace: string, version: string, parts: Record<string, Shape>): Shape =>
  shape(
    { Id: oneOf('Request'), Version: pattern(`[+]?0*${version}`) },
    inAnyOrder(...Object.entries(parts).map(([name, part]) => elementsOf(namespace)(name, part))),
  );
/** Children of one name, at most `max`. */
export const listOf = (namespace: string, name: string, of: Shape, max: number, attributes: Record<string, Check> = {}): Shape =>
  shape(attributes, sequence(elementsOf(namespace)(name, of, 1, max)));

const element = elementsOf(NAMESPACE);
const list = (name: string, of: Shape, max: number): Shape => listOf(NAMESPACE, name, of, max);
const header = shape({ UUID: uuid, SendDateTime: time, 'SubseqDelivType?': late });

const voucher = shape({ Num: pattern('[1-9][0-9]{0,7}-[0-9]{4}-[a-zA-Z][0-9]{8}[a-zA-Z]') });
const vouchersSold = shape({}, inAnyOrder(element('VD', shape({ D: day, N: price })), element('VN', list('V', voucher, 1_000))));
const item = shape(
  {
    ...{ N: text(1, 50), 'C?': text(1, 50), U: text(1, 50), Q: quantity, UPB: price, UPA: price, 'R?': price, 'RR?': flag },
    ...{ PB: amount, 'VR?': price, 'VA?': amount, 'IN?': flag, PA: amount, 'EX?': exemption },
  },
  inAnyOrder(element('VS', vouchersSold, 0)),
);
const address = { 'Address?': text(1, 200), 'Town?': text(1, 100), 'Country?': country };
const reference = { IICRef: hex32, IssueDateTime: time };

const invoice = shape(
  {
    ...{ TypeOfInv: payment, IsSimplifiedInv: flag, 'TypeOfSelfIss?': selfIssued, IssueDateTime: time },
    ...{ InvNum: pattern('[1-9][0-9]{0,14}/[0-9]{4}(/[a-z]{2}[0-9]{3}[a-z]{2}[0-9]{3})?'), InvOrdNum: pattern('[+]?0*[1-9][0-9]{0,14}') },
    ...{ 'TCRCode?': code, IsIssuerInVAT: flag, 'TaxFreeAmt?': amount, 'MarkUpAmt?': amount, 'GoodsExAmt?': amount, TotPriceWoVAT: amount },
    ...{ 'TotVATAmt?': amount, TotPrice: amount, OperatorCode: code, BusinUnitCode: code, SoftCode: code, 'ImpCustDecNum?': text(1, 50) },
    ...{ IIC: hex32, IICSignature: hex512, IsReverseCharge: flag, 'PayDeadline?': day, 'IsEinvoice?': flag },
  },
  inAnyOrder(
    element('SupplyDateOrPeriod', shape({ Start: day, End: day }), 0),
    element('CorrectiveInv', shape({ ...reference, Type: oneOf('CORRECTIVE', 'DEBIT', 'CREDIT') }), 0),
    element(
      'PayMethods',
      list(
        'PayMethod',
        shape(
          { Type: oneOf(...method), 'Amt?': amount, 'CompCard?': text(1, 50) },
          sequence(element('Vouchers', list('Voucher', voucher, 20), 0)),
        ),
        10,
      ),
    ),
    element('Currency', shape({ Code: currency, ExRate: rate, 'IsBuying?': flag }), 0),
    element('Seller', shape({ IDType: idType, IDNum: text(1, 20), Name: text(1, 100), ...address })),
    element('Buyer', shape({ 'IDType?': idType, 'IDNum?': text(1, 20), 'Name?': text(1, 100), ...address }), 0),
    element('Items', list('I', item, 1_000)),
    element(
      'SameTaxes',
      list(
        'SameTax',
        shape({
          NumOfItems: positive,
          PriceBefVAT: amount,
          'VATRate?': amount,
          'ExemptFromVAT?': oneOf('TYPE_1', 'TYPE_2'),
          'VATAmt?': amount,
        }),
        20,
      ),
      0,
    ),
    element(
      'ConsTaxes',
      list('ConsTax', shape({ NumOfItems: positive, PriceBefConsTax: amount, ConsTaxRate: amount, ConsTaxAmt: amount }), 20),
      0,
    ),
    element('Fees', list('Fee', shape({ Type: oneOf('PACK', 'BOTTLE', 'COMMISSION', 'OTHER'), Amt: amount }), 20), 0),
    element('SumInvIICRefs', list('SumInvIICRef', shape({ IIC: hex32, IssueDateTime: time }), 1_000), 0),
    element('BadDebtInv', shape(reference), 0),
  ),
);

const deposit = shape({
  ChangeDateTime: time,
  Operation: oneOf('INITIAL', 'WITHDRAW', 'DEPOSIT'),
  CashAmt: price,
  TCRCode: code,
  IssuerNUIS: nuis,
});
const till = shape({
  ...{ IssuerNUIS: nuis, BusinUnitCode: code, TCRIntID: text(1, 50), 'SoftCode?': code, 'MaintainerCode?': code },
  ...{ 'ValidFrom?': day, 'ValidTo?': day, 'Type?': tillType },
});

/** The requests of version 3, by the names of their elements. */
export const requests: Record<string, Shape> = {
  RegisterInvoiceRequest: messageOf(NAMESPACE, '3', { Header: header, Invoice: invoice }),
  RegisterCashDepositRequest: messageOf(NAMESPACE, '3', { Header: header, CashDeposit: deposit }),
  RegisterTCRRequest: messageOf(NAMESPACE, '3', { Header: shape({ UUID: uuid, SendDateTime: time }), TCR: till }),
};
