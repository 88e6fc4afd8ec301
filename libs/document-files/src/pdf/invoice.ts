import { addressLines, issueDayOf, taxIdsOf, type PdfInvoice, type Written } from './document.ts';
import { body, BOTTOM, flowOn, GAP, HEIGHT, label, LEFT, RIGHT, small, strong, type Flow } from './flow.ts';
import { drawLines } from './invoice-lines.ts';
import { drawTaxes, drawTotals } from './invoice-sums.ts';
import { mentionsIn, type Mentions } from './mentions.ts';
import { drawQr } from './qr.ts';
import { lineHeight, type Sheet, type Style } from './sheet.ts';

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

function drawHead(sheet: Sheet, flow: Flow, { document, words, numbers, corrects }: Written<PdfInvoice>): void {
  const { issuer, customer, due_date, supply_date } = document;
  const half = (RIGHT - LEFT) / 2 - 12;
  const linesOf = (texts: Texts): [string, Style][] =>
    texts.flatMap(([text, style]) => (text ? sheet.wrap(text, half, style).map((line): [string, Style] => [line, style]) : []));
  /** From `flow.y` on, over pages where it is longer than one: names and addresses are printed whole. */
  const column = (texts: Texts, x: number): void => {
    for (const [line, style] of linesOf(texts)) {
      flow.fit(lineHeight(style));
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
  flow.fit(isHere ? Math.max(QR, height + 8) : height);
  if (isHere) drawQr(sheet, qr.url, LEFT, flow.y, QR);
  let y = flow.y + (isHere ? 8 : 0);
  for (const { text, style } of lines) {
    sheet.write(text, x, y, style);
    y += lineHeight(style);
  }
}
