import { issueDayOf, marksOf, type PdfInvoice, type Written } from './document.ts';
import { body, flowOn, GAP, LEFT, RIGHT, small, strong, type Flow } from './flow.ts';
import { drawFooter, drawHead, named, type Texts } from './head.ts';
import { drawLines } from './invoice-lines.ts';
import { drawTaxes, drawTotals } from './invoice-sums.ts';
import { mentionsIn, type Mentions } from './mentions.ts';
import { drawQr } from './qr.ts';
import { lineHeight, type Sheet, type Style } from './sheet.ts';

/** Draws an invoice, credit note or corrective: its head, the lines over as many pages as they need with carried sums, then totals, taxes and registration. */
export function drawInvoice(sheet: Sheet, written: Written<PdfInvoice>): void {
  const { document, words } = written;
  const { issuer, customer, number } = document;
  const flow = flowOn(sheet, marksOf(written));
  const mentions = mentionsIn(written);
  if (mentions.qr?.isFirst) drawQrFirst(sheet, flow, mentions.qr);
  drawHead(sheet, flow, { issuer, customer, title: titleOf(written), words });
  drawLines(sheet, flow, written);
  drawTotals(sheet, flow, written);
  drawTaxes(sheet, flow, written);
  drawTexts(flow, written, mentions);
  drawRegistration(sheet, flow, written, mentions);
  drawFooter(sheet, words, [issuer?.legal_name, issuer?.tax_id, number]);
}

/** The title with the numbers and days of the document. */
function titleOf({ document, words, numbers, corrects }: Written<PdfInvoice>): Texts {
  const { due_date, supply_date } = document;
  const issued = issueDayOf(document);
  return [
    [words.titles[document.type], { size: 17, bold: true }],
    [named(words.number, document.number), strong],
    [named(words.issued, issued && numbers.day(issued)), body],
    [named(words.supplied, supply_date && numbers.day(supply_date)), body],
    [named(words.due, due_date && numbers.day(due_date)), body],
    [named(words.corrects, corrects), body],
  ];
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
