import { element } from './cis-client.ts';
import { tag, tags } from './verifactu-client.ts';

const HEX = 'A'.repeat(32);
const AT = '2026-03-01T10:00:00+01:00';
const CODE = 'aa111aa111';
const reference = { IICRef: HEX, IssueDateTime: AT };
const party = (IDType: string): Record<string, string> => ({
  IDType,
  IDNum: '12345678',
  Name: 'N',
  Address: 'A',
  Town: 'T',
  Country: 'ALB',
});
const money = (...names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, '1.00']));
const codes = { TCRCode: CODE, OperatorCode: CODE, BusinUnitCode: CODE, SoftCode: CODE, IIC: HEX, IICSignature: 'A'.repeat(512) };
const totals = money('TaxFreeAmt', 'MarkUpAmt', 'GoodsExAmt', 'TotPriceWoVAT', 'TotVATAmt', 'TotPrice');
const fees = element('Fees', {}, element('Fee', { Type: 'PACK', ...money('Amt') }));
const common = (voucher: string, id: string): string[] => [
  element('SupplyDateOrPeriod', { Start: '2026-03-01', End: '2026-03-02' }),
  element('CorrectiveInv', { ...reference, Type: 'CORRECTIVE' }),
  element(
    'PayMethods',
    {},
    element(
      'PayMethod',
      { Type: 'SVOUCHER', ...money('Amt'), CompCard: '1' },
      element('Vouchers', {}, element('Voucher', { Num: voucher })),
    ),
  ),
  element('Seller', party(id)),
  element('Buyer', party(id)),
  element('BadDebtInv', reference),
];
const item = { N: 'N', C: 'C', U: 'U', Q: '1.5', ...money('UPB', 'UPA', 'R', 'PB', 'VR', 'VA', 'PA'), RR: 'true', IN: 'false' };

/** Parts with everything that the published schemas know, wrong as a document but right in form. */
export const fullInvoices = {
  al: element(
    'Invoice',
    {
      ...{
        TypeOfInv: 'CASH',
        IsSimplifiedInv: 'false',
        TypeOfSelfIss: 'SELF',
        IssueDateTime: AT,
        InvNum: `1/2026/${CODE}`,
        InvOrdNum: '1',
      },
      ...{
        IsIssuerInVAT: 'true',
        ...totals,
        ...codes,
        ImpCustDecNum: '1',
        IsReverseCharge: '0',
        PayDeadline: '2026-03-01',
        IsEinvoice: '1',
      },
    },
    ...common('1-2026-A12345678B', 'NUIS'),
    element('Currency', { Code: 'EUR', ExRate: '1.5e2', IsBuying: 'true' }),
    element(
      'Items',
      {},
      element(
        'I',
        { ...item, EX: 'TYPE_1' },
        element('VS', {}, element('VD', { D: '2026-03-01', N: '1.00' }), element('VN', {}, element('V', { Num: '1-2026-A12345678B' }))),
      ),
    ),
    element(
      'SameTaxes',
      {},
      element('SameTax', { NumOfItems: '1', ...money('PriceBefVAT', 'VATRate', 'VATAmt'), ExemptFromVAT: 'TYPE_2' }),
    ),
    element('ConsTaxes', {}, element('ConsTax', { NumOfItems: '1', ...money('PriceBefConsTax', 'ConsTaxRate', 'ConsTaxAmt') })),
    fees,
    element('SumInvIICRefs', {}, element('SumInvIICRef', { IIC: HEX, IssueDateTime: AT })),
  ),
  me: element(
    'Invoice',
    {
      ...{
        InvType: 'SUMMARY',
        TypeOfInv: 'CASH',
        TypeOfSelfIss: 'SELF',
        IssueDateTime: AT,
        InvNum: `${CODE}/1/2026/${CODE}`,
        InvOrdNum: '1',
      },
      ...{ IsIssuerInVAT: 'true', ...totals, ...money('TotPriceToPay'), ...codes, IsReverseCharge: 'false', PayDeadline: '2026-03-01' },
      ...{ ParagonBlockNum: '1', TaxPeriod: '03/2026', BankAccNum: '1', Note: 'N' },
    },
    ...common('1-2026-12345678', 'TIN'),
    element('Currency', { Code: 'EUR', ExRate: '1.5' }),
    element('Items', {}, element('I', { ...item, EX: 'VAT_CL17', VD: '2026-03-01', VSN: '1-2026-12345678' })),
    element(
      'SameTaxes',
      {},
      element('SameTax', { NumOfItems: '1', ...money('PriceBefVAT', 'VATRate', 'VATAmt'), ExemptFromVAT: 'VAT_CL20' }),
    ),
    element('Approvals', {}, element('Approval', money('DiscountAmt', 'ReturnAmt', 'VATRate', 'ExemptFromVAT', 'VATAmt', 'TotalAmt'))),
    fees,
    element('IICRefs', {}, element('IICRef', { IIC: HEX, IssueDateTime: AT, ...money('Amount') })),
  ),
};

const id = tags({ IDEmisorFactura: '89890001K', NumSerieFactura: '1', FechaExpedicionFactura: '01-03-2026' });
const other = tags({ NombreRazon: 'N', IDOtro: tags({ CodigoPais: 'FR', IDType: '04', ID: '1' }) });
const detail = {
  ...{ Impuesto: '01', ClaveRegimen: '01', CalificacionOperacion: 'S1', TipoImpositivo: '21', BaseImponibleOimporteNoSujeto: '+1.5' },
  ...{ BaseImponibleACoste: '1', CuotaRepercutida: '1.', TipoRecargoEquivalencia: '5.2', CuotaRecargoEquivalencia: '-1' },
};
const system = tags({
  ...{
    NombreRazon: 'N',
    IDOtro: tags({ IDType: '02', ID: 'FR12345678901' }),
    NombreSistemaInformatico: 'S',
    IdSistemaInformatico: '01',
    Version: '1',
  },
  ...{ NumeroInstalacion: '1', TipoUsoPosibleSoloVerifactu: 'S', TipoUsoPosibleMultiOT: 'N', IndicadorMultiplesOT: 'N' },
});
const link = tag('RegistroAnterior', id + tag('Huella', HEX));
const end = { Encadenamiento: link, SistemaInformatico: system, FechaHoraHusoGenRegistro: AT };
const proof = { TipoHuella: '01', Huella: HEX };

/** Records with everything that the published schema knows. */
export const fullRecords = {
  alta: tags({
    ...{
      IDVersion: '1.0',
      IDFactura: id,
      RefExterna: 'R',
      NombreRazonEmisor: 'N',
      Subsanacion: 'S',
      RechazoPrevio: 'X',
      TipoFactura: 'R1',
    },
    ...{
      TipoRectificativa: 'S',
      FacturasRectificadas: tag('IDFacturaRectificada', id),
      FacturasSustituidas: tag('IDFacturaSustituida', id),
    },
    ImporteRectificacion: tags({ BaseRectificada: '1', CuotaRectificada: '1', CuotaRecargoRectificado: '1' }),
    ...{
      FechaOperacion: '01-03-2026',
      DescripcionOperacion: 'D',
      FacturaSimplificadaArt7273: 'N',
      FacturaSinIdentifDestinatarioArt61d: 'N',
    },
    ...{ Macrodato: 'N', EmitidaPorTerceroODestinatario: 'T', Tercero: other, Destinatarios: tag('IDDestinatario', other), Cupon: 'N' },
    Desglose:
      tag('DetalleDesglose', tags(detail)) + tag('DetalleDesglose', tags({ OperacionExenta: 'E1', BaseImponibleOimporteNoSujeto: '1' })),
    ...{ CuotaTotal: '1', ImporteTotal: '1', ...end, NumRegistroAcuerdoFacturacion: '1', IdAcuerdoSistemaInformatico: '1', ...proof },
  }),
  annulment: tags({
    IDVersion: '1.0',
    IDFactura: tags({ IDEmisorFacturaAnulada: '89890001K', NumSerieFacturaAnulada: '1', FechaExpedicionFacturaAnulada: '01-03-2026' }),
    ...{ RefExterna: 'R', SinRegistroPrevio: 'S', RechazoPrevio: 'N', GeneradoPor: 'T', Generador: other, ...end, ...proof },
  }),
  filter: [
    `<sfLRC:PeriodoImputacion>${tags({ Ejercicio: '2026', Periodo: '03' })}</sfLRC:PeriodoImputacion><sfLRC:NumSerieFactura>1</sfLRC:NumSerieFactura>`,
    `<sfLRC:Contraparte>${other}</sfLRC:Contraparte>`,
    `<sfLRC:FechaExpedicionFactura>${tag('RangoFechaExpedicion', tags({ Desde: '01-03-2026', Hasta: '02-03-2026' }))}</sfLRC:FechaExpedicionFactura>`,
    `<sfLRC:SistemaInformatico>${system}</sfLRC:SistemaInformatico><sfLRC:RefExterna>R</sfLRC:RefExterna><sfLRC:ClavePaginacion>${id}</sfLRC:ClavePaginacion>`,
  ].join(''),
  header:
    tag('ObligadoEmision', tags({ NombreRazon: 'N', NIF: '89890001K' })) +
    tag('Representante', tags({ NombreRazon: 'N', NIF: '89890001K' })) +
    tag('RemisionVoluntaria', tags({ FechaFinVeriFactu: '31-12-2026', Incidencia: 'S' })) +
    tag('RemisionRequerimiento', tags({ RefRequerimiento: 'R', FinRequerimiento: 'S' })),
};
