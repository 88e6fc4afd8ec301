import { ZERO } from '@svc/kernel';
import { exactText } from '@svc/totals/line';
import { adjustmentTexts, quantityText, taxTexts, type PdfInvoice, type Written } from './document.ts';
import { body, BOTTOM, columns, GAP, label, LEFT, RIGHT, small, strong, TOP, type Flow } from './flow.ts';
import { lineHeight, type Sheet, type Style } from './sheet.ts';

const widths = { quantity: 66, price: 66, tax: 66, amount: RIGHT - 472 } as const;
const DESCRIPTION = { x: LEFT + 22, width: 188 };
/** Of the names of the columns. */
const HEADER = lineHeight(label) + 2 + GAP;
/** Of the row of carried sums at the end of a page. */
const CARRIED = lineHeight(strong) + 2 * GAP;

/** The lines, over as many pages as they need, with carried sums. */
export function drawLines(sheet: Sheet, flow: Flow, written: Written<PdfInvoice>): void {
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
