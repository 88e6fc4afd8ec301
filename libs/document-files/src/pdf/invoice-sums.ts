import { currencyDecimals, decimal, numberText, round } from '@svc/kernel';
import { exactText } from '@svc/totals/line';
import { taxName, totalRows, type PdfInvoice, type Written } from './document.ts';
import { body, BOTTOM, columns, label, LEFT, RIGHT, small, type Flow } from './flow.ts';
import { lineHeight, type Sheet, type Style } from './sheet.ts';

/** The totals, below each other at the right. */
export function drawTotals(sheet: Sheet, flow: Flow, written: Written<PdfInvoice>): void {
  const rows = totalRows(written);
  const large: Style = { size: 10.5, bold: true };
  const styleOf = (isStrong: boolean): Style => (isStrong ? large : body);
  flow.fit(rows.reduce((all, row) => all + lineHeight(styleOf(row.strong)), 0));
  for (const { label: name, amount, strong: isStrong } of rows) {
    const style = styleOf(isStrong);
    sheet.writeTo(name, columns.tax - 20, flow.y, style);
    sheet.writeWithin(amount, columns.amount, columns.amount - columns.tax + 10, flow.y, style);
    flow.y += lineHeight(style);
  }
  if (written.document.prices_include_tax) {
    flow.fit(lineHeight(small));
    sheet.writeTo(written.words.pricesIncludeTax, RIGHT, flow.y, small);
    flow.y += lineHeight(small);
  }
  flow.y += 10;
}

/** The breakdown, and where the document has another currency than the issuer, its tax in that of the issuer. */
export function drawTaxes(sheet: Sheet, flow: Flow, written: Written<PdfInvoice>): void {
  const { document, words, numbers } = written;
  const [base, amount] = [LEFT + 285, LEFT + 390];
  /** The amounts stand beside the last line of the name. */
  const row = (cells: [string, string, string], style: Style): void => {
    const names = sheet.wrap(cells[0], cells[1] === '' ? 285 : 180, style);
    flow.fit(names.length * lineHeight(style));
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
    flow.fit(2 * lineHeight(body) + 10);
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
