import type { ReceivablesTotal } from '@svc/contracts/report/rows';
import type { StatementItem } from '@svc/contracts/report/statement';
import type { Parties } from './document.ts';
import { body, BOTTOM, flowOn, GAP, label, LEFT, RIGHT, strong, type Flow } from './flow.ts';
import { drawFooter, drawHead, named } from './head.ts';
import { numbersIn, type Numbers } from './numbers.ts';
import { lineHeight, type Sheet, type Style } from './sheet.ts';
import { statementWords } from './statement-words.ts';
import type { Words } from './words.ts';

type Issuer = Pick<NonNullable<Parties['issuer']>, 'legal_name' | 'trade_name' | 'tax_id' | 'address' | 'language'>;
type Customer = Pick<NonNullable<Parties['customer']>, 'name' | 'tax_id' | 'tax_ids' | 'email' | 'address' | 'language'>;

/** What is open of a customer in one currency, with what was to be paid of it in all, and what is due of it by its age. */
export interface StatementPart extends ReceivablesTotal {
  payable: number;
  items: Pick<StatementItem, 'number' | 'issue_date' | 'due_date' | 'total' | 'due'>[];
}

/** The issuer and the customer as on the last document. */
export interface PdfStatement {
  livemode: boolean;
  as_of: string;
  issuer: Issuer | null;
  customer: Customer | null;
  parts: StatementPart[];
}

/** Left edges of the days, right edge of the totals; numbers are left of them, what is due ends at the right. */
const columns = { issued: 250, due: 340, total: 472 } as const;
const WIDTHS = { number: columns.issued - LEFT - 10, amount: 76 };
const HEADER = 40;

/** Draws the open items of each currency over as many pages as they need, with their sums and ages. */
export function drawStatement(sheet: Sheet, statement: PdfStatement, words: Words): void {
  const { issuer, customer, parts, as_of, livemode } = statement;
  const own = statementWords[words.tag];
  const flow = flowOn(sheet, livemode ? [] : [words.marks.test]);
  const { day } = numbersIn(words, 'EUR');
  const title: [string | null, Style][] = [
    [own.title, { size: 17, bold: true }],
    [named(own.asOf, day(as_of)), strong],
  ];
  drawHead(sheet, flow, { issuer, customer, title, words });
  if (parts.length === 0) flow.text(own.nothing, body);
  for (const part of parts) drawPart(sheet, flow, part, words);
  drawFooter(sheet, words, [issuer?.legal_name, issuer?.tax_id, customer?.name, day(as_of)]);
}

function drawPart(sheet: Sheet, flow: Flow, part: StatementPart, words: Words): void {
  const numbers = numbersIn(words, part.currency);
  const row = ([number, issued, due, total, open]: Cells, style: Style): void => {
    sheet.write(number, LEFT, flow.y, style);
    sheet.write(issued, columns.issued, flow.y, style);
    sheet.write(due, columns.due, flow.y, style);
    sheet.writeWithin(total, columns.total, WIDTHS.amount, flow.y, style);
    sheet.writeWithin(open, RIGHT, WIDTHS.amount, flow.y, style);
    flow.y += lineHeight(style);
  };
  const header = (): void => {
    sheet.write(part.currency, LEFT, flow.y, { size: 10.5, bold: true });
    flow.y += lineHeight({ size: 10.5 });
    row([words.number, words.issued, words.due, words.total, statementWords[words.tag].open], label);
    sheet.rule(LEFT, RIGHT, flow.y + 2, 1);
    flow.y += 2 + GAP;
  };
  const first = part.items[0];
  flow.fit(HEADER + (first ? linesOf(sheet, first).length * lineHeight(body) : 0));
  header();
  for (const item of part.items) {
    const lines = linesOf(sheet, item);
    if (flow.y + lines.length * lineHeight(body) > BOTTOM) {
      flow.newPage();
      header();
    }
    const [number = '', ...more] = lines;
    const { money, day } = numbers;
    row([number, day(item.issue_date), day(item.due_date), money(item.total), money(item.due)], body);
    for (const line of more) row([line, '', '', '', ''], body);
  }
  sheet.rule(LEFT, RIGHT, flow.y + 1);
  flow.y += GAP;
  flow.fit(lineHeight(strong));
  row([`${words.total} ${part.currency}`, '', '', numbers.money(part.payable), numbers.money(part.total)], strong);
  flow.y += GAP;
  drawAges(sheet, flow, part, { words, numbers });
  flow.y += 16;
}

type Cells = [number: string, issued: string, due: string, total: string, open: string];

const linesOf = (sheet: Sheet, { number }: StatementPart['items'][number]): string[] => sheet.wrap(number, WIDTHS.number, body);

/** What is due by how late it is: five columns over the whole width. */
function drawAges(sheet: Sheet, flow: Flow, part: StatementPart, { words, numbers }: { words: Words; numbers: Numbers }): void {
  const { notDue, late } = statementWords[words.tag];
  const ages: [string, number][] = [
    [notDue, part.not_due],
    [late('1–30'), part.d1_30],
    [late('31–60'), part.d31_60],
    [late('61–90'), part.d61_90],
    [late('> 90'), part.over_90],
  ];
  const width = (RIGHT - LEFT) / ages.length;
  flow.fit(lineHeight(label) + lineHeight(body));
  for (const [n, [name, amount]] of ages.entries()) {
    const right = LEFT + (n + 1) * width;
    sheet.writeWithin(name, right, width - 8, flow.y, label);
    sheet.writeWithin(numbers.money(amount), right, width - 8, flow.y + lineHeight(label), body);
  }
  flow.y += lineHeight(label) + lineHeight(body);
}
