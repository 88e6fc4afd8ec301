import { decimal, numberText } from '@svc/kernel';
import {
  addressLines,
  adjustmentTexts,
  grossOf,
  marksOf,
  quantityText,
  taxName,
  taxTexts,
  timeOf,
  totalRows,
  type PdfReceipt,
  type Written,
  taxIdsOf,
} from './document.ts';
import { mentionsIn, type Mentions } from './mentions.ts';
import { drawQr } from './qr.ts';
import { lineHeight, type Sheet, type Style } from './sheet.ts';

/** 80 mm of paper, in points, and the longest page that readers show. */
const WIDTH = (80 / 25.4) * 72;
const LONGEST = 14_000;
const [LEFT, RIGHT, MARGIN] = [11, WIDTH - 11, 14];
const body: Style = { size: 7.5 };
const strong: Style = { size: 7.5, bold: true };
const large: Style = { size: 11, bold: true };
const small: Style = { size: 6.5 };
const QR = 110;

/** A piece of the strip of paper. */
interface Block {
  height: number;
  draw(y: number): void;
}

/** Draws a receipt on one strip of 80 mm paper, as long as it is; on several where it is longer than a page can be. */
export function drawReceipt(sheet: Sheet, written: Written<PdfReceipt>): void {
  const blocks = blocksOf(sheet, written);
  const pages: Block[][] = [[]];
  let height = 0;
  for (const block of blocks) {
    if (height + block.height > LONGEST - 2 * MARGIN) {
      pages.push([]);
      height = 0;
    }
    height += block.height;
    pages.at(-1)?.push(block);
  }
  for (const page of pages) {
    const whole = page.reduce((all, block) => all + block.height, 0) + 2 * MARGIN;
    sheet.addPage(WIDTH, whole);
    let y = MARGIN;
    for (const block of page) {
      block.draw(y);
      y += block.height;
    }
  }
}

function blocksOf(sheet: Sheet, written: Written<PdfReceipt>): Block[] {
  const { document, words, numbers, corrects } = written;
  const { issuer, customer } = document;
  const { texts, registration, shown, qr } = mentionsIn(written);
  const width = RIGHT - LEFT;

  const line = (style: Style, draw: (y: number) => void): Block => ({ height: lineHeight(style), draw });
  const centered = (text: string | null | undefined, style: Style): Block[] =>
    (text ? sheet.wrap(text, width, style) : []).map((part) =>
      line(style, (y) => sheet.write(part, LEFT + (width - sheet.width(part, style)) / 2, y, style)),
    );
  const plain = (text: string | null | undefined, style: Style): Block[] =>
    (text ? sheet.wrap(text, width, style) : []).map((part) => line(style, (y) => sheet.write(part, LEFT, y, style)));
  /** A text and an amount right of it; the amount stands beside the last line of the text. */
  const pair = (text: string, amount: string, style: Style): Block[] => {
    const parts = sheet.wrap(text, width - sheet.width(amount, style) - 6, style);
    return parts.map((part, n) =>
      line(style, (y) => {
        sheet.write(part, LEFT, y, style);
        if (n === parts.length - 1) sheet.writeTo(amount, RIGHT, y, style);
      }),
    );
  };
  const named = (name: string, value: string | null | undefined, style = body): Block[] => (value ? plain(`${name}: ${value}`, style) : []);
  const rule: Block = { height: 8, draw: (y) => sheet.rule(LEFT, RIGHT, y + 4) };
  const marks = marksOf(written).map((mark) => `*** ${mark} ***`);

  return [
    ...marks.flatMap((mark) => centered(mark, large)),
    ...(qr?.isFirst ? [...verification(qr), rule] : []),
    ...centered(issuer?.trade_name ?? issuer?.legal_name, large),
    ...(issuer?.trade_name ? centered(issuer.legal_name, body) : []),
    ...addressLines(issuer).flatMap((text) => centered(text, body)),
    ...(issuer?.tax_id ? centered(`${words.taxId}: ${issuer.tax_id}`, body) : []),
    rule,
    ...centered(words.titles.receipt, strong),
    ...named(words.number, document.number),
    ...named(words.issued, [numbers.day(document.issue_date), timeOf(document.issued_at, issuer?.time_zone)].join(' ')),
    ...named(words.corrects, corrects),
    ...(shown.has('unit') ? [] : named(words.unit, document.unit)),
    ...(shown.has('device') ? [] : named(words.till, document.device)),
    ...(shown.has('operator') ? [] : named(words.operator, document.operator)),
    ...named(words.customer, customer?.name),
    ...named(words.taxId, taxIdsOf(customer)),
    rule,
    ...document.items.flatMap((item) => [
      ...plain(item.description, body),
      ...pair(
        `${quantityText(item, written)} × ${numbers.price(item.unit_price)}  ${taxTexts(item, written).join(', ')}`,
        numbers.money(grossOf(item, document.currency)),
        body,
      ),
      ...adjustmentTexts(item, written).flatMap((text) => plain(text, small)),
    ]),
    rule,
    ...totalRows(written).flatMap(({ label, amount, strong: isStrong }) => pair(label, amount, isStrong ? large : body)),
    rule,
    ...document.tax_breakdown.flatMap((tax) => {
      const whole = decimal(numberText(tax.amount)).plus(numberText(tax.surcharge?.amount ?? 0));
      return pair(
        `${taxName(tax, written)} · ${words.base} ${numbers.money(tax.base)}`,
        tax.retained ? numbers.minus(whole) : numbers.money(whole),
        small,
      );
    }),
    ...texts.flatMap((text) => plain(text, small)),
    ...document.payments.flatMap(({ method, amount }) => pair(words.methods[method], numbers.money(amount), body)),
    ...(document.notes ? [rule, ...plain(document.notes, body)] : []),
    ...(registration.length > 0 || qr ? [rule] : []),
    ...registration.flatMap((text) => plain(text, small)),
    ...(qr && !qr.isFirst ? verification(qr) : []),
    ...(qr ? [...centered(words.verify, strong), ...centered(qr.url, small)] : []),
  ];

  function verification({ url, above, below }: NonNullable<Mentions['qr']>): Block[] {
    return [
      ...above.flatMap((text) => centered(text, strong)),
      { height: QR, draw: (y) => drawQr(sheet, url, (WIDTH - QR) / 2, y, QR) },
      ...below.flatMap((text) => centered(text, strong)),
    ];
  }
}
