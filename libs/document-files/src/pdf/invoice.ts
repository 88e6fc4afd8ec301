import { currencyDecimals, decimal, numberText, round, ZERO } from '@svc/kernel';
import { exactText } from '@svc/totals/line';
import {
  addressLines,
  adjustmentTexts,
  issueDayOf,
  marksOf,
  quantityText,
  taxName,
  taxTexts,
  totalRows,
  type PdfInvoice,
  type Written,
  taxIdsOf,
} from './document.ts';
import { mentionsIn, type Mentions } from './mentions.ts';
import { drawQr } from './qr.ts';
import { lineHeight, type Sheet, type Style } from './sheet.ts';

/** A4, in points. */
const [WIDTH, HEIGHT] = [595.28, 841.89];
const [LEFT, RIGHT, TOP, BOTTOM] = [42, WIDTH - 42, 40, HEIGHT - 62];
const body: Style = { size: 8.5 };
const strong: Style = { size: 8.5, bold: true };
const small: Style = { size: 7, color: '#555555' };
const label: Style = { size: 7.5, color: '#555555' };
const GAP = 4;

/** Right edges of the columns of numbers; the description is left of them. */
const columns = { quantity: 322, price: 394, tax: 466, amount: RIGHT } as const;
const widths = { quantity: 66, price: 66, tax: 66, amount: RIGHT - 472 } as const;
const DESCRIPTION = { x: LEFT + 22, width: 188 };
/** Of the names of the columns. */
const HEADER = lineHeight(label) + 2 + GAP;
/** Of the row of carried sums at the end of a page. */
const CARRIED = lineHeight(strong) + 2 * GAP;

/** Draws an invoice, credit note or corrective: its head, the lines over as many pages as they need with carried sums, then totals, taxes and registration. */
export function drawInvoice(sheet: Sheet, written: Written<PdfInvoice>): void {
  const flow = flowOn(sheet, written);
  const mentions = mentionsIn(written);
  if (mentions.qr?.isFirst) drawQrFirst(sheet, flow, mentions.qr);
  drawHead(sheet, flow, written);
  drawLines(sheet, flow, written);
  drawTotals(sheet, flow, written);
  drawTaxes(sheet, flow, written);
  drawTexts(flow, written, mentions);
  drawRegistration(sheet, flow, written, mentions);
  const { issuer, number } = written.document;
  const footer = [issuer?.legal_name, issuer?.tax_id, number].filter(Boolean).join(' · ');
  sheet.onEachPage((n, of) => {
    const y = HEIGHT - 44;
    sheet.rule(LEFT, RIGHT, y - 4);
    sheet.write(sheet.wrap(footer, RIGHT - LEFT - 90, small)[0] ?? '', LEFT, y, small);
    sheet.writeTo(written.words.page(n, of), RIGHT, y, small);
  });
}

type Texts = [string | null | undefined, Style][];

/** Where the next thing goes, from page to page. */
interface Flow {
  y: number;
  /** From 1 on. */
  page: number;
  newPage(): void;
  /** A new page where this height is not left. */
  room(height: number): void;
  /** A text over the whole width, from line to line. */
  text(text: string, style: Style): void;
}

function flowOn(sheet: Sheet, written: Written): Flow {
  const marks = marksOf(written).join(' · ');
  const flow: Flow = {
    y: TOP,
    page: 0,
    newPage() {
      flow.page += 1;
      sheet.addPage(WIDTH, HEIGHT);
      if (marks) sheet.mark(marks, WIDTH, HEIGHT);
      flow.y = TOP;
    },
    room: (height) => void (flow.y + height > BOTTOM && flow.newPage()),
    text(text, style) {
      for (const line of sheet.wrap(text, RIGHT - LEFT, style)) {
        flow.room(lineHeight(style));
        sheet.write(line, LEFT, flow.y, style);
        flow.y += lineHeight(style);
      }
    },
  };
  flow.newPage();
  return flow;
}

function drawHead(sheet: Sheet, flow: Flow, { document, words, numbers, corrects }: Written<PdfInvoice>): void {
  const { issuer, customer, due_date, supply_date } = document;
  const half = (RIGHT - LEFT) / 2 - 12;
  const linesOf = (texts: Texts): [string, Style][] =>
    texts.flatMap(([text, style]) => (text ? sheet.wrap(text, half, style).map((line): [string, Style] => [line, style]) : []));
  /** From `flow.y` on, over pages where it is longer than one: no part of a name or address is left out. */
  const column = (texts: Texts, x: number): void => {
    for (const [line, style] of linesOf(texts)) {
      flow.room(lineHeight(style));
      sheet.write(line, x, flow.y, style);
      flow.y += lineHeight(style);
    }
  };
  const named = (name: string, value: string | null | undefined): string | null => (value ? `${name}: ${value}` : null);
  const plain = (lines: string[]): Texts => lines.map((line) => [line, body]);
  const issued = issueDayOf(document);
  const middle = LEFT + (RIGHT - LEFT) / 2 + 12;
  const seller: Texts = [
    [issuer?.legal_name ?? issuer?.trade_name, { size: 12, bold: true }],
    [issuer?.legal_name ? issuer.trade_name : null, body],
    ...plain(addressLines(issuer)),
    [named(words.taxId, issuer?.tax_id), body],
  ];
  const title: Texts = [
    [words.titles[document.type], { size: 17, bold: true }],
    [named(words.number, document.number), strong],
    [named(words.issued, issued && numbers.day(issued)), body],
    [named(words.supplied, supply_date && numbers.day(supply_date)), body],
    [named(words.due, due_date && numbers.day(due_date)), body],
    [named(words.corrects, corrects), body],
  ];
  const [top, page] = [flow.y, flow.page];
  const isLonger = top + linesOf(seller).reduce((all, [, style]) => all + lineHeight(style), 0) > BOTTOM;
  const besides: [Texts, number][] = [
    [seller, LEFT],
    [title, middle],
  ];
  let below = top;
  // The longer one last: what follows it stands on its last page.
  for (const [texts, x] of isLonger ? besides.reverse() : besides) {
    flow.y = top;
    column(texts, x);
    below = flow.page === page ? Math.max(below, flow.y) : flow.y;
  }
  flow.y = below + 14;
  column(
    [
      [words.customer, label],
      [customer?.name, { size: 10, bold: true }],
      ...plain(addressLines(customer)),
      [named(words.taxId, taxIdsOf(customer)), body],
      [customer?.email, body],
    ],
    middle,
  );
  flow.y += 18;
}

function drawLines(sheet: Sheet, flow: Flow, written: Written<PdfInvoice>): void {
  const { document, words, numbers } = written;
  let carried = ZERO;
  const limit = BOTTOM - CARRIED;
  const cell = (text: string, name: keyof typeof columns, y: number, style: Style): void =>
    sheet.writeWithin(text, columns[name], widths[name], y, style);

  const header = (): void => {
    sheet.write(words.description, DESCRIPTION.x, flow.y, label);
    for (const name of ['quantity', 'price', 'tax', 'amount'] as const) cell(words[name], name, flow.y, label);
    flow.y += lineHeight(label) + 2;
    sheet.rule(LEFT, RIGHT, flow.y, 1);
    flow.y += GAP;
  };
  const sumRow = (name: string): void => {
    sheet.write(name, DESCRIPTION.x, flow.y, strong);
    cell(numbers.money(carried), 'amount', flow.y, strong);
    flow.y += lineHeight(strong) + GAP;
  };
  const turn = (): void => {
    sheet.rule(LEFT, RIGHT, flow.y);
    flow.y += GAP;
    sumRow(words.carried);
    flow.newPage();
    header();
    sumRow(words.brought);
  };

  const pageOfLines = limit - TOP - 60;
  document.items.forEach((item, n) => {
    const lines = [
      ...sheet.wrap(item.description ?? '', DESCRIPTION.width, body).map((text) => ({ text, style: body })),
      ...adjustmentTexts(item, written).flatMap((text) =>
        sheet.wrap(text, DESCRIPTION.width, small).map((line) => ({ text: line, style: small })),
      ),
    ];
    const taxes = taxTexts(item, written);
    const height = Math.max(
      lines.reduce((all, { style }) => all + lineHeight(style), 0),
      taxes.length * lineHeight(body),
    );
    const isFull = flow.y + Math.min(height, pageOfLines) + (n === 0 ? HEADER : 0) > limit;
    if (n > 0 && isFull) turn();
    if (n === 0) {
      if (isFull) flow.newPage();
      header();
    }
    carried = carried.plus(exactText(item.amount));
    const top = flow.y;
    sheet.writeTo(String(n + 1), LEFT + 16, top, label);
    cell(quantityText(item, written), 'quantity', top, body);
    cell(numbers.price(item.unit_price), 'price', top, body);
    cell(numbers.money(item.amount), 'amount', top, body);
    taxes.forEach((text, row) => cell(text, 'tax', top + row * lineHeight(body), body));
    let onFirstPage = true;
    for (const { text, style } of lines) {
      if (flow.y + lineHeight(style) > limit) {
        turn();
        onFirstPage = false;
      }
      sheet.write(text, DESCRIPTION.x, flow.y, style);
      flow.y += lineHeight(style);
    }
    if (onFirstPage) flow.y = Math.max(flow.y, top + taxes.length * lineHeight(body));
    flow.y += GAP;
  });
  sheet.rule(LEFT, RIGHT, flow.y);
  flow.y += GAP;
}

function drawTotals(sheet: Sheet, flow: Flow, written: Written<PdfInvoice>): void {
  const rows = totalRows(written);
  const large: Style = { size: 10.5, bold: true };
  const styleOf = (isStrong: boolean): Style => (isStrong ? large : body);
  flow.room(rows.reduce((all, row) => all + lineHeight(styleOf(row.strong)), 0));
  for (const { label: name, amount, strong: isStrong } of rows) {
    const style = styleOf(isStrong);
    sheet.writeTo(name, columns.tax - 20, flow.y, style);
    sheet.writeWithin(amount, columns.amount, columns.amount - columns.tax + 10, flow.y, style);
    flow.y += lineHeight(style);
  }
  if (written.document.prices_include_tax) {
    flow.room(lineHeight(small));
    sheet.writeTo(written.words.pricesIncludeTax, RIGHT, flow.y, small);
    flow.y += lineHeight(small);
  }
  flow.y += 10;
}

/** The breakdown, and where the document has another currency than the issuer, its tax in that of the issuer. */
function drawTaxes(sheet: Sheet, flow: Flow, written: Written<PdfInvoice>): void {
  const { document, words, numbers } = written;
  const [base, amount] = [LEFT + 285, LEFT + 390];
  /** The amounts stand beside the last line of the name. */
  const row = (cells: [string, string, string], style: Style): void => {
    const names = sheet.wrap(cells[0], cells[1] === '' ? 285 : 180, style);
    flow.room(names.length * lineHeight(style));
    for (const [n, name] of names.entries()) {
      sheet.write(name, LEFT, flow.y + n * lineHeight(style), style);
    }
    flow.y += names.length * lineHeight(style);
    sheet.writeWithin(cells[1], base, 100, flow.y - lineHeight(style), style);
    sheet.writeWithin(cells[2], amount, 100, flow.y - lineHeight(style), style);
  };
  const head = (): void => {
    row([words.tax, words.base, words.amount], label);
    sheet.rule(LEFT, amount, flow.y);
    flow.y += 2;
  };
  if (document.tax_breakdown.length > 0) {
    flow.room(2 * lineHeight(body) + 10);
    head();
  }
  for (const tax of document.tax_breakdown) {
    const height = sheet.wrap(taxName(tax, written), 180, body).length * lineHeight(body);
    if (flow.y + height > BOTTOM) {
      flow.newPage();
      head();
    }
    const whole = decimal(numberText(tax.amount)).plus(numberText(tax.surcharge?.amount ?? 0));
    row([taxName(tax, written), numbers.money(tax.base), tax.retained ? numbers.minus(whole) : numbers.money(whole)], body);
  }
  const { issuer, exchange_rate, currency, tax_total } = document;
  if (exchange_rate && issuer?.currency && issuer.currency !== currency) {
    const converted = round(decimal(numberText(tax_total)).times(exactText(exchange_rate)), currencyDecimals(issuer.currency) ?? 2);
    row(
      [
        `${words.taxTotal} ${issuer.currency} (1 ${currency} = ${numbers.plain(exchange_rate)} ${issuer.currency})`,
        '',
        numbers.money(converted),
      ],
      body,
    );
  }
  flow.y += 8;
}

function drawTexts(flow: Flow, { document }: Written<PdfInvoice>, { texts }: Mentions): void {
  for (const text of texts) flow.text(text, body);
  if (document.notes) {
    flow.y += GAP;
    flow.text(document.notes, body);
  }
  flow.y += 10;
}

/** Its modules come to 30 to 40 mm, as Spain asks (Orden HAC/1177/2024, artículo 21). */
const QR = 110;

/** Before everything else, with what stands above and below it. */
function drawQrFirst(sheet: Sheet, flow: Flow, { url, above, below }: NonNullable<Mentions['qr']>): void {
  for (const text of above) flow.text(text, strong);
  drawQr(sheet, url, LEFT, flow.y, QR);
  flow.y += QR;
  for (const text of below) flow.text(text, strong);
  flow.y += 14;
}

/** The codes of the authority, and where the registration can be verified. */
function drawRegistration(sheet: Sheet, flow: Flow, { words }: Written<PdfInvoice>, { registration, qr }: Mentions): void {
  const isHere = qr !== null && !qr.isFirst;
  const x = isHere ? LEFT + QR + 10 : LEFT;
  const wrapped = (text: string, style: Style): { text: string; style: Style }[] =>
    sheet.wrap(text, RIGHT - x, style).map((line) => ({ text: line, style }));
  const lines = [
    ...(isHere ? qr.above.flatMap((text) => wrapped(text, strong)) : []),
    ...(qr ? wrapped(words.verify, strong) : []),
    ...[...registration, ...(qr ? [qr.url] : [])].flatMap((text) => wrapped(text, small)),
    ...(isHere ? qr.below.flatMap((text) => wrapped(text, strong)) : []),
  ];
  const height = lines.reduce((all, { style }) => all + lineHeight(style), 0);
  flow.room(isHere ? Math.max(QR, height + 8) : height);
  if (isHere) drawQr(sheet, qr.url, LEFT, flow.y, QR);
  let y = flow.y + (isHere ? 8 : 0);
  for (const { text, style } of lines) {
    sheet.write(text, x, y, style);
    y += lineHeight(style);
  }
}
