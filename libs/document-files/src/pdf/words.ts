import type { DocumentType, PaymentMethod } from '@svc/contracts/document/vocabulary';
import type { Language, TaxCode } from '@svc/tax-rules';

/** What a document says by itself, and how its language writes numbers and days. */
export type Words = typeof en;

const en = {
  tag: 'en' as Language,
  decimal: '.',
  thousands: ',',
  day: (year: string, month: string, day: string): string => `${year}-${month}-${day}`,
  titles: { standard: 'Invoice', credit_note: 'Credit note', corrective: 'Corrective invoice', receipt: 'Receipt' } satisfies Record<
    DocumentType | 'receipt',
    string
  >,
  marks: { draft: 'DRAFT', voided: 'VOIDED', test: 'TEST' },
  methods: { cash: 'Cash', card: 'Card', check: 'Check', transfer: 'Transfer', voucher: 'Voucher', other: 'Other' } satisfies Record<
    PaymentMethod,
    string
  >,
  vat: 'VAT',
  page: (n: number, of: number): string => `Page ${n} of ${of}`,
  number: 'Number',
  issued: 'Date of issue',
  due: 'Due date',
  supplied: 'Date of supply',
  corrects: 'Corrects',
  customer: 'Customer',
  taxId: 'Tax number',
  description: 'Description',
  quantity: 'Quantity',
  price: 'Unit price',
  tax: 'Tax',
  amount: 'Amount',
  carried: 'Carried forward',
  brought: 'Brought forward',
  discount: 'Discount',
  charge: 'Charge',
  subtotal: 'Total without tax',
  taxTotal: 'Tax',
  total: 'Total',
  retained: 'Withheld',
  paid: 'Paid',
  credited: 'Credited',
  toPay: 'To pay',
  base: 'Base',
  surcharge: 'surcharge',
  /** Of an exemption. */
  reason: 'Reason',
  /** Why no tax is due, by code. */
  untaxed: {
    E: 'Exempt from VAT',
    AE: 'Reverse charge',
    K: 'Intra-community supply',
    G: 'Export',
    O: 'Not subject to VAT',
  } satisfies Record<Exclude<TaxCode, 'S' | 'Z'>, string>,
  pricesIncludeTax: 'Unit prices include tax, amounts of lines do not.',
  unit: 'Business unit',
  till: 'Till',
  operator: 'Operator',
  fiscalCode: 'Fiscal code',
  issuerCode: 'Issuer’s code',
  verify: 'Verify this document',
};

const es: Words = {
  tag: 'es',
  decimal: ',',
  thousands: '.',
  day: (year, month, day) => `${day}/${month}/${year}`,
  titles: { standard: 'Factura', credit_note: 'Nota de abono', corrective: 'Factura rectificativa', receipt: 'Tique' },
  marks: { draft: 'BORRADOR', voided: 'ANULADO', test: 'PRUEBA' },
  methods: { cash: 'Efectivo', card: 'Tarjeta', check: 'Cheque', transfer: 'Transferencia', voucher: 'Vale', other: 'Otro' },
  vat: 'IVA',
  page: (n, of) => `Página ${n} de ${of}`,
  number: 'Número',
  issued: 'Fecha de expedición',
  due: 'Vencimiento',
  supplied: 'Fecha de operación',
  corrects: 'Rectifica',
  customer: 'Cliente',
  taxId: 'NIF',
  description: 'Descripción',
  quantity: 'Cantidad',
  price: 'Precio',
  tax: 'Impuesto',
  amount: 'Importe',
  carried: 'Suma y sigue',
  brought: 'Suma anterior',
  discount: 'Descuento',
  charge: 'Cargo',
  subtotal: 'Total sin impuestos',
  taxTotal: 'Impuestos',
  total: 'Total',
  retained: 'Retención',
  paid: 'Pagado',
  credited: 'Abonado',
  toPay: 'A pagar',
  base: 'Base imponible',
  surcharge: 'recargo',
  reason: 'Motivo',
  untaxed: {
    E: 'Exento de IVA',
    AE: 'Inversión del sujeto pasivo',
    K: 'Entrega intracomunitaria',
    G: 'Exportación',
    O: 'No sujeto a IVA',
  },
  pricesIncludeTax: 'Los precios incluyen impuestos; los importes de las líneas no.',
  unit: 'Establecimiento',
  till: 'Caja',
  operator: 'Operador',
  fiscalCode: 'Código fiscal',
  issuerCode: 'Código del emisor',
  verify: 'Verificar este documento',
};

const sq: Words = {
  tag: 'sq',
  decimal: ',',
  thousands: '\u00a0',
  day: (year, month, day) => `${day}.${month}.${year}`,
  titles: { standard: 'Faturë', credit_note: 'Notë krediti', corrective: 'Faturë korrigjuese', receipt: 'Kupon' },
  marks: { draft: 'DRAFT', voided: 'ANULUAR', test: 'PROVË' },
  methods: { cash: 'Para në dorë', card: 'Kartë', check: 'Çek', transfer: 'Transfertë', voucher: 'Kupon', other: 'Tjetër' },
  vat: 'TVSH',
  page: (n, of) => `Faqja ${n} nga ${of}`,
  number: 'Numri',
  issued: 'Data e lëshimit',
  due: 'Afati i pagesës',
  supplied: 'Data e furnizimit',
  corrects: 'Korrigjon',
  customer: 'Blerësi',
  taxId: 'Numri tatimor',
  description: 'Përshkrimi',
  quantity: 'Sasia',
  price: 'Çmimi',
  tax: 'Tatimi',
  amount: 'Vlera',
  carried: 'Për t’u mbartur',
  brought: 'E mbartur',
  discount: 'Zbritje',
  charge: 'Shtesë',
  subtotal: 'Totali pa tatim',
  taxTotal: 'Tatimi',
  total: 'Totali',
  retained: 'E mbajtur',
  paid: 'Paguar',
  credited: 'Kredituar',
  toPay: 'Për t’u paguar',
  base: 'Baza',
  surcharge: 'shtesë',
  reason: 'Arsyeja',
  untaxed: {
    E: 'Përjashtuar nga TVSH',
    AE: 'Ngarkesë e kundërt e TVSH-së',
    K: 'Furnizim brenda Bashkimit Evropian',
    G: 'Eksport',
    O: 'Nuk i nënshtrohet TVSH-së',
  },
  pricesIncludeTax: 'Çmimet përfshijnë tatimin; vlerat e rreshtave jo.',
  unit: 'Njësia e biznesit',
  till: 'Arka',
  operator: 'Operatori',
  fiscalCode: 'Kodi fiskal',
  issuerCode: 'Kodi i lëshuesit',
  verify: 'Verifiko këtë dokument',
};

const sr: Words = {
  tag: 'sr-Latn',
  decimal: ',',
  thousands: '.',
  day: (year, month, day) => `${day}.${month}.${year}.`,
  titles: { standard: 'Faktura', credit_note: 'Knjižno odobrenje', corrective: 'Korektivna faktura', receipt: 'Račun' },
  marks: { draft: 'NACRT', voided: 'STORNIRANO', test: 'PROBA' },
  methods: { cash: 'Gotovina', card: 'Kartica', check: 'Ček', transfer: 'Prenos', voucher: 'Vaučer', other: 'Drugo' },
  vat: 'PDV',
  page: (n, of) => `Strana ${n} od ${of}`,
  number: 'Broj',
  issued: 'Datum izdavanja',
  due: 'Rok plaćanja',
  supplied: 'Datum prometa',
  corrects: 'Ispravlja',
  customer: 'Kupac',
  taxId: 'Poreski broj',
  description: 'Opis',
  quantity: 'Količina',
  price: 'Cijena',
  tax: 'Porez',
  amount: 'Iznos',
  carried: 'Za prenos',
  brought: 'Preneseno',
  discount: 'Popust',
  charge: 'Dodatak',
  subtotal: 'Ukupno bez poreza',
  taxTotal: 'Porez',
  total: 'Ukupno',
  retained: 'Zadržano',
  paid: 'Plaćeno',
  credited: 'Odobreno',
  toPay: 'Za plaćanje',
  base: 'Osnovica',
  surcharge: 'dodatak',
  reason: 'Razlog',
  untaxed: {
    E: 'Oslobođeno PDV-a',
    AE: 'Prenos poreske obaveze',
    K: 'Isporuka unutar Evropske unije',
    G: 'Izvoz',
    O: 'Ne podliježe PDV-u',
  },
  pricesIncludeTax: 'Cijene uključuju porez; iznosi stavki ne.',
  unit: 'Poslovna jedinica',
  till: 'Kasa',
  operator: 'Operater',
  fiscalCode: 'Fiskalni kod',
  issuerCode: 'Kod izdavaoca',
  verify: 'Provjera dokumenta',
};

/** The first of these languages that there are words in, English without one. Tags are those of BCP 47: `sr-ME` is written in Latin letters, `sr` is not. */
export function wordsIn(...tags: (string | null | undefined)[]): Words {
  for (const tag of tags) {
    const { language, script } = localeOf(tag) ?? {};
    if (language === 'en') return en;
    if (language === 'es') return es;
    if (language === 'sq') return sq;
    if (language === 'sr' && script === 'Latn') return sr;
  }
  return en;
}

/** undefined for what is no tag. */
function localeOf(tag: string | null | undefined): Intl.Locale | undefined {
  try {
    return tag ? new Intl.Locale(tag).maximize() : undefined;
  } catch {
    return undefined;
  }
}
