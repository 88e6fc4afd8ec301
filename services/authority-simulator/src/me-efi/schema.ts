import { listOf, messageOf, types } from '../al-cis/schema.ts';
import { elementsOf, inAnyOrder, sequence, shape, type Shape } from '../xml/schema.ts';
import { day, flag, oneOf, pattern, positive, text, time } from '../xml/values.ts';

export const NAMESPACE = 'https://efi.tax.gov.me/fs/schema';

const { uuid, code, amount, price, quantity, rate, hex32, hex512, country, currency, tillType, payment, selfIssued } = types;
const tin = pattern('[0-9]{13}|[0-9]{8}');
const price4 = pattern(String.raw`([1-9][0-9]*|0)\.[0-9]{2,4}|0`);
const amount4 = pattern(String.raw`-?([1-9][0-9]*|0)\.[0-9]{2,4}|0`);
const late = oneOf('NOINTERNET', 'BOUNDBOOK', 'SERVICE', 'TECHNICALERROR', 'BUSINESSNEEDS');
const idType = oneOf('TIN', 'ID', 'PASS', 'VAT', 'TAX', 'SOC');
const exemption = oneOf(...[3, 4, 14, 15, 17, 20, 26, 27, 28, 29, 30, 44].map((article) => `VAT_CL${article}`));
const methods = [
  'BANKNOTE',
  'CARD',
  'BUSINESSCARD',
  'SVOUCHER',
  'COMPANY',
  'ORDER',
  'ADVANCE',
  'ACCOUNT',
  'FACTORING',
  'OTHER',
  'OTHER-CASH',
];
const voucherNumber = pattern('[1-9][0-9]{0,7}-[0-9]{4}-[0-9]{8}');

const element = elementsOf(NAMESPACE);
const list = (name: string, of: Shape, max: number): Shape => listOf(NAMESPACE, name, of, max);
const header = shape({ UUID: uuid, SendDateTime: time, 'SubseqDelivType?': late });
const address = { 'Address?': text(1, 200), 'Town?': text(1, 100), 'Country?': country };
const party = { IDType: idType, IDNum: text(1, 20), Name: text(1, 400), ...address };
const reference = { IICRef: hex32, IssueDateTime: time };

const item = shape({
  ...{ N: text(1, 50), 'C?': text(1, 50), U: text(1, 50), Q: quantity, UPB: price4, UPA: price4, 'R?': price4, 'RR?': flag, PB: amount4 },
  ...{ 'VR?': price4, 'VA?': amount4, 'IN?': flag, PA: amount4, 'EX?': exemption, 'VD?': day, 'VSN?': voucherNumber },
});
const method = shape(
  { Type: oneOf(...methods), Amt: amount, 'CompCard?': text(1, 50), 'AdvIIC?': hex32, 'BankAcc?': text(1, 50) },
  sequence(element('Vouchers', list('Voucher', shape({ Num: voucherNumber }), 20), 0)),
);
const sameTax = shape({ NumOfItems: positive, PriceBefVAT: amount4, 'VATRate?': amount, 'ExemptFromVAT?': exemption, 'VATAmt?': amount4 });
const approval = shape({
  ...{ 'DiscountAmt?': amount, 'ReturnAmt?': amount, 'VATRate?': amount, 'ExemptFromVAT?': amount, 'VATAmt?': amount, TotalAmt: amount },
});

const invoice = shape(
  {
    ...{ InvType: oneOf('INVOICE', 'CORRECTIVE', 'SUMMARY', 'PERIODICAL', 'ADVANCE', 'CREDIT_NOTE'), TypeOfInv: payment },
    ...{ 'TypeOfSelfIss?': selfIssued, IssueDateTime: time, InvOrdNum: positive, TCRCode: code, IsIssuerInVAT: flag },
    InvNum: pattern('[a-z]{2}[0-9]{3}[a-z]{2}[0-9]{3}/[1-9][0-9]{0,14}/[0-9]{4}/[a-z]{2}[0-9]{3}[a-z]{2}[0-9]{3}'),
    ...{
      'TaxFreeAmt?': amount,
      'MarkUpAmt?': amount,
      'GoodsExAmt?': amount,
      TotPriceWoVAT: amount,
      'TotVATAmt?': amount,
      TotPrice: amount,
    },
    ...{ 'TotPriceToPay?': price, OperatorCode: code, BusinUnitCode: code, SoftCode: code, IIC: hex32, IICSignature: hex512 },
    ...{
      'IsReverseCharge?': flag,
      'PayDeadline?': day,
      'ParagonBlockNum?': text(1, 20),
      'TaxPeriod?': pattern('(0[1-9]|1[0-2])/[0-9]{4}'),
    },
    ...{ 'BankAccNum?': text(1, 50), 'Note?': text(1, 200) },
  },
  inAnyOrder(
    element('SupplyDateOrPeriod', shape({ Start: day, End: day }), 0),
    element('CorrectiveInv', shape({ ...reference, Type: oneOf('CORRECTIVE', 'ERROR_CORRECTIVE') }), 0),
    element('PayMethods', list('PayMethod', method, 10)),
    element('Currency', shape({ Code: currency, ExRate: rate }), 0),
    element('Seller', shape(party)),
    element('Buyer', shape({ ...party, 'TIC?': text(1, 20) }), 0),
    element('Items', list('I', item, 1_000), 0),
    element('SameTaxes', list('SameTax', sameTax, 20), 0),
    element('Approvals', list('Approval', approval, 20), 0),
    element('Fees', list('Fee', shape({ Type: oneOf('PACK', 'COMMISSION', 'OTHER'), Amt: amount }), 20), 0),
    element('IICRefs', list('IICRef', shape({ IIC: hex32, IssueDateTime: time, Amount: amount }), 1_000), 0),
    element('BadDebtInv', shape(reference), 0),
  ),
);

const deposit = shape({ ChangeDateTime: time, Operation: oneOf('INITIAL', 'WITHDRAW'), CashAmt: price, TCRCode: code, IssuerTIN: tin });
const till = shape({
  ...{ IssuerTIN: tin, BusinUnitCode: code, TCRIntID: text(1, 50), 'SoftCode?': code, 'MaintainerCode?': code },
  ...{ 'ValidFrom?': day, 'ValidTo?': day, 'Type?': tillType },
});

/** The requests of version 1, by the names of their elements. */
export const requests: Record<string, Shape> = {
  RegisterInvoiceRequest: messageOf(NAMESPACE, '1', { Header: header, Invoice: invoice }),
  RegisterCashDepositRequest: messageOf(NAMESPACE, '1', { Header: header, CashDeposit: deposit }),
  RegisterTCRRequest: messageOf(NAMESPACE, '1', { Header: shape({ UUID: uuid, SendDateTime: time }), TCR: till }),
};
